//! A drawing of few kinds of shapes, as SVG and as PNG.
//!
//! Both show the same. The pixels are computed at three times the size and averaged, which is all the
//! smoothing that circles and lines need, and letters are a dot matrix: no font has to be there.

use std::fmt::Write as _;
use zug_learn::markup::escape;

/// Red, green, blue.
pub type Ink = [u8; 3];

/// A shape; coordinates are pixels from the top left.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle: left, top, width, height.
    Box(f64, f64, f64, f64, Ink),
    /// A filled circle: centre and radius.
    Disc(f64, f64, f64, Ink),
    /// A circle: centre, radius, width of the line.
    Ring(f64, f64, f64, f64, Ink),
    /// A horizontal or vertical line from one point to another, of some width.
    Line(f64, f64, f64, f64, f64, Ink),
    /// Text around a centre, of some height.
    Text(f64, f64, f64, String, Ink),
}

/// Shapes on a background, drawn in order.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// Behind all.
    pub background: Ink,
    /// From the back to the front.
    pub shapes: Vec<Shape>,
}

fn web(ink: Ink) -> String {
    format!("#{:02x}{:02x}{:02x}", ink[0], ink[1], ink[2])
}

impl Drawing {
    /// The drawing as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let (w, h) = (self.width, self.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n",
            web(self.background)
        );
        for shape in &self.shapes {
            let _ = match shape {
                Shape::Box(x, y, w, h, ink) => writeln!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{}\"/>",
                    web(*ink)
                ),
                Shape::Disc(x, y, r, ink) => writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{}\"/>",
                    web(*ink)
                ),
                Shape::Ring(x, y, r, width, ink) => writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"none\" stroke=\"{}\" \
                     stroke-width=\"{width:.1}\"/>",
                    web(*ink)
                ),
                Shape::Line(x1, y1, x2, y2, width, ink) => writeln!(
                    out,
                    "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{}\" \
                     stroke-width=\"{width:.1}\"/>",
                    web(*ink)
                ),
                Shape::Text(x, y, height, text, ink) => writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" font-family=\"sans-serif\" font-size=\"{:.1}\" \
                     text-anchor=\"middle\" fill=\"{}\">{}</text>",
                    y + height / 2.0,
                    height * 1.4,
                    web(*ink),
                    escape(text)
                ),
            };
        }
        out.push_str("</svg>\n");
        out
    }

    /// The drawing as PNG.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let mut canvas = Canvas::new(self.width * FINE, self.height * FINE, self.background);
        self.shapes.iter().for_each(|shape| canvas.draw(shape));
        let pixels = canvas.averaged();
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut w| w.write_image_data(&pixels));
        written.expect("writing to memory with as many pixels as the header says");
        out
    }
}

/// Fine pixels along the edge of one that is shown.
const FINE: usize = 3;

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Ink>,
}

impl Canvas {
    fn new(width: usize, height: usize, background: Ink) -> Canvas {
        Canvas { width, height, pixels: vec![background; width * height] }
    }

    /// Inks the fine pixels of a rectangle whose centres pass a test.
    fn fill(&mut self, area: [f64; 4], ink: Ink, inside: impl Fn(f64, f64) -> bool) {
        let clamp = |v: f64, most: usize| (v.max(0.0) as usize).min(most);
        let [left, top, right, bottom] = area;
        for y in clamp(top, self.height)..clamp(bottom + 1.0, self.height) {
            for x in clamp(left, self.width)..clamp(right + 1.0, self.width) {
                if inside(x as f64 + 0.5, y as f64 + 0.5) {
                    self.pixels[y * self.width + x] = ink;
                }
            }
        }
    }

    fn draw(&mut self, shape: &Shape) {
        let f = FINE as f64;
        match *shape {
            Shape::Box(x, y, w, h, ink) => self.block(x * f, y * f, (x + w) * f, (y + h) * f, ink),
            Shape::Line(x1, y1, x2, y2, width, ink) => {
                let half = width * f / 2.0;
                let (left, right) = (x1.min(x2) * f - half, x1.max(x2) * f + half);
                let (top, bottom) = (y1.min(y2) * f - half, y1.max(y2) * f + half);
                self.block(left, top, right, bottom, ink);
            }
            Shape::Disc(x, y, r, ink) => self.ring(x * f, y * f, 0.0, r * f, ink),
            Shape::Ring(x, y, r, width, ink) => {
                self.ring(x * f, y * f, (r - width / 2.0) * f, (r + width / 2.0) * f, ink);
            }
            Shape::Text(x, y, height, ref text, ink) => {
                let dot = height * f / 7.0;
                let width = (text.chars().count() * 6) as f64 * dot - dot;
                let (left, top) = (x * f - width / 2.0, y * f - height * f / 2.0);
                for (i, c) in text.chars().enumerate() {
                    let from = left + (i * 6) as f64 * dot;
                    for (column, bits) in glyph(c).into_iter().enumerate() {
                        for row in (0..7).filter(|row| bits >> row & 1 == 1) {
                            let (x, y) = (from + column as f64 * dot, top + f64::from(row) * dot);
                            self.block(x, y, x + dot, y + dot, ink);
                        }
                    }
                }
            }
        }
    }

    fn block(&mut self, left: f64, top: f64, right: f64, bottom: f64, ink: Ink) {
        self.fill([left, top, right, bottom], ink, |x, y| {
            x >= left && x < right && y >= top && y < bottom
        });
    }

    fn ring(&mut self, cx: f64, cy: f64, from: f64, to: f64, ink: Ink) {
        self.fill([cx - to, cy - to, cx + to, cy + to], ink, |x, y| {
            let square = (x - cx).powi(2) + (y - cy).powi(2);
            square <= to * to && square >= from * from
        });
    }

    fn averaged(&self) -> Vec<u8> {
        let (width, height) = (self.width / FINE, self.height / FINE);
        let mut out = Vec::with_capacity(width * height * 3);
        for y in 0..height {
            for x in 0..width {
                let mut sums = [0u32; 3];
                for dy in 0..FINE {
                    for dx in 0..FINE {
                        let ink = self.pixels[(y * FINE + dy) * self.width + x * FINE + dx];
                        for (sum, part) in sums.iter_mut().zip(ink) {
                            *sum += u32::from(part);
                        }
                    }
                }
                out.extend(sums.map(|s| (s / (FINE * FINE) as u32) as u8));
            }
        }
        out
    }
}

/// Five columns of seven dots, the lowest bit on top. Small letters are drawn as capitals, and what
/// is not here as a box.
fn glyph(c: char) -> [u8; 5] {
    match c.to_ascii_uppercase() {
        ' ' => [0; 5],
        '0' => [0x3e, 0x51, 0x49, 0x45, 0x3e],
        '1' => [0x00, 0x42, 0x7f, 0x40, 0x00],
        '2' => [0x42, 0x61, 0x51, 0x49, 0x46],
        '3' => [0x21, 0x41, 0x45, 0x4b, 0x31],
        '4' => [0x18, 0x14, 0x12, 0x7f, 0x10],
        '5' => [0x27, 0x45, 0x45, 0x45, 0x39],
        '6' => [0x3c, 0x4a, 0x49, 0x49, 0x30],
        '7' => [0x01, 0x71, 0x09, 0x05, 0x03],
        '8' => [0x36, 0x49, 0x49, 0x49, 0x36],
        '9' => [0x06, 0x49, 0x49, 0x29, 0x1e],
        'A' => [0x7e, 0x11, 0x11, 0x11, 0x7e],
        'B' => [0x7f, 0x49, 0x49, 0x49, 0x36],
        'C' => [0x3e, 0x41, 0x41, 0x41, 0x22],
        'D' => [0x7f, 0x41, 0x41, 0x22, 0x1c],
        'E' => [0x7f, 0x49, 0x49, 0x49, 0x41],
        'F' => [0x7f, 0x09, 0x09, 0x09, 0x01],
        'G' => [0x3e, 0x41, 0x49, 0x49, 0x7a],
        'H' => [0x7f, 0x08, 0x08, 0x08, 0x7f],
        'I' => [0x00, 0x41, 0x7f, 0x41, 0x00],
        'J' => [0x20, 0x40, 0x41, 0x3f, 0x01],
        'K' => [0x7f, 0x08, 0x14, 0x22, 0x41],
        'L' => [0x7f, 0x40, 0x40, 0x40, 0x40],
        'M' => [0x7f, 0x02, 0x0c, 0x02, 0x7f],
        'N' => [0x7f, 0x04, 0x08, 0x10, 0x7f],
        'O' => [0x3e, 0x41, 0x41, 0x41, 0x3e],
        'P' => [0x7f, 0x09, 0x09, 0x09, 0x06],
        'Q' => [0x3e, 0x41, 0x51, 0x21, 0x5e],
        'R' => [0x7f, 0x09, 0x19, 0x29, 0x46],
        'S' => [0x46, 0x49, 0x49, 0x49, 0x31],
        'T' => [0x01, 0x01, 0x7f, 0x01, 0x01],
        'U' => [0x3f, 0x40, 0x40, 0x40, 0x3f],
        'V' => [0x1f, 0x20, 0x40, 0x20, 0x1f],
        'W' => [0x3f, 0x40, 0x38, 0x40, 0x3f],
        'X' => [0x63, 0x14, 0x08, 0x14, 0x63],
        'Y' => [0x07, 0x08, 0x70, 0x08, 0x07],
        'Z' => [0x61, 0x51, 0x49, 0x45, 0x43],
        '%' => [0x23, 0x13, 0x08, 0x64, 0x62],
        '.' => [0x00, 0x60, 0x60, 0x00, 0x00],
        ',' => [0x00, 0x50, 0x30, 0x00, 0x00],
        ':' => [0x00, 0x36, 0x36, 0x00, 0x00],
        '-' => [0x08, 0x08, 0x08, 0x08, 0x08],
        '(' => [0x00, 0x1c, 0x22, 0x41, 0x00],
        ')' => [0x00, 0x41, 0x22, 0x1c, 0x00],
        _ => [0x7f, 0x41, 0x41, 0x41, 0x7f],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing() -> Drawing {
        Drawing {
            width: 40,
            height: 30,
            background: [250, 240, 200],
            shapes: vec![
                Shape::Box(0.0, 0.0, 10.0, 10.0, [255, 0, 0]),
                Shape::Disc(20.0, 15.0, 6.0, [0, 0, 0]),
                Shape::Line(0.0, 29.0, 40.0, 29.0, 1.0, [0, 0, 255]),
                Shape::Ring(20.0, 15.0, 9.0, 1.0, [0, 255, 0]),
                Shape::Text(33.0, 15.0, 7.0, "<7%>".into(), [0, 0, 0]),
            ],
        }
    }

    #[test]
    fn the_drawing_is_sound_markup() {
        let svg = drawing().svg();
        zug_learn::markup::check(&svg).unwrap();
        assert!(svg.contains("&lt;7%&gt;"));
    }

    #[test]
    fn the_pixels_are_where_the_shapes_are() {
        let bytes = drawing().png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (40, 30));
        let at = |x: usize, y: usize| &pixels[(y * 40 + x) * 3..][..3];
        assert_eq!(at(5, 5), [255, 0, 0]);
        assert_eq!(at(20, 15), [0, 0, 0]);
        assert_eq!(at(1, 20), [250, 240, 200]);
        assert!(at(20, 6)[0] < 120 && at(20, 6)[1] > 240);
        assert_ne!(at(3, 28), [250, 240, 200]);
    }
}
