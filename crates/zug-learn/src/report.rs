//! Pages that explain a run: headings, text, tables and plots in one HTML file that needs nothing
//! else and no network. They read well on screens light and dark, and on paper. Where a script
//! ([`Page::script`]) makes a part of a page move, the page can be read without it.
//!
//! ```
//! use zug_learn::report::{Page, Table};
//! let mut page = Page::new("Fit of 27 March");
//! page.heading("Data");
//! page.paragraph("All positions of 60 discs & fewer.");
//! let mut table = Table::new(["discs", "wins"]);
//! table.row(["12", "4711"]);
//! page.table(&table);
//! assert!(page.html().contains("60 discs &amp; fewer"));
//! ```

use std::fmt::Write as _;

use crate::markup::escape;
use crate::plot::Plot;
use serde::Serialize;

/// A page in the making. All text is escaped.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
    headings: Vec<String>,
    /// What the part is called that is written now.
    section: String,
    figures: Vec<Figure>,
    /// Inside something that the reader has to open?
    folded: bool,
}

/// A plot of a page, for whoever draws it elsewhere: same title, same order, same numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The part of the page that it belongs to.
    pub section: String,
    /// The line of text below it; empty where there is none.
    pub caption: String,
    /// The plot.
    #[serde(flatten)]
    pub plot: Plot,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--back:#ffffff;--text:#222222;--soft:#666666;--rule:#dddddd;--band:#f6f6f6;--link:#0060a8}\
@media (prefers-color-scheme:dark){:root{--back:#17181b;--text:#e4e4e4;--soft:#a4a4a4;--rule:#3a3c42;--band:#202227;--link:#7cc4f5}}\
body{background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1.5rem}\
h1{font-size:1.7rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--rule)}a{color:var(--link)}\
.scroll{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\
caption{text-align:left;color:var(--soft);padding-bottom:.3rem}\
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}\
th{border-bottom-width:2px}.number{text-align:right}tbody tr:nth-child(even){background:var(--band)}\
figure{margin:1rem 0}figcaption,.soft{color:var(--soft)}pre{background:var(--band);padding:.8rem;white-space:pre-wrap;overflow-wrap:anywhere}\
dt{float:left;clear:left;min-width:12rem;color:var(--soft)}dd{margin-left:13rem}\
@media print{body{max-width:none}details{display:block}}";

impl Page {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Page {
        Page {
            title: title.into(),
            body: String::new(),
            headings: Vec::new(),
            section: String::new(),
            figures: Vec::new(),
            folded: false,
        }
    }

    /// Starts a section. Sections are listed at the top when there are more than two.
    pub fn heading(&mut self, text: &str) {
        self.headings.push(text.to_string());
        self.section = text.to_string();
        let number = self.headings.len();
        self.tag(&format!("<h2 id=\"s{number}\">{}</h2>", escape(text)));
    }

    /// Starts a part of a section.
    pub fn subheading(&mut self, text: &str) {
        self.section = text.to_string();
        self.tag(&format!("<h3>{}</h3>", escape(text)));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.tag(&format!("<p>{}</p>", escape(text)));
    }

    /// Adds a paragraph that ends with the name of a file near the page, as a link to it.
    pub fn link(&mut self, text: &str, file: &str) {
        let (text, file) = (escape(text), escape(file));
        self.tag(&format!("<p>{text} <a href=\"{file}\">{file}</a></p>"));
    }

    /// Adds a list.
    pub fn list<S: AsRef<str>>(&mut self, items: impl IntoIterator<Item = S>) {
        let items: String =
            items.into_iter().map(|i| format!("<li>{}</li>", escape(i.as_ref()))).collect();
        // A list without items is not permitted.
        if !items.is_empty() {
            self.tag(&format!("<ul>{items}</ul>"));
        }
    }

    /// Adds facts: names and values side by side.
    pub fn facts<K: AsRef<str>, V: AsRef<str>>(&mut self, facts: impl IntoIterator<Item = (K, V)>) {
        let facts: String = facts
            .into_iter()
            .map(|(k, v)| format!("<dt>{}</dt><dd>{}</dd>", escape(k.as_ref()), escape(v.as_ref())))
            .collect();
        if !facts.is_empty() {
            self.tag(&format!("<dl>{facts}</dl>"));
        }
    }

    /// Adds text as it is, such as a command or a file.
    pub fn preformatted(&mut self, text: &str) {
        self.tag(&format!("<pre>{}</pre>", escape(text)));
    }

    /// Adds a table.
    pub fn table(&mut self, table: &Table) {
        self.tag(&table.html());
    }

    /// Adds a plot.
    pub fn plot(&mut self, plot: &Plot) {
        self.note(plot, "");
        self.tag(&format!("<figure>{}</figure>", plot.svg()));
    }

    /// Adds a plot with a line of text below it.
    pub fn plot_with_caption(&mut self, plot: &Plot, caption: &str) {
        self.note(plot, caption);
        let caption = escape(caption);
        self.tag(&format!("<figure>{}<figcaption>{caption}</figcaption></figure>", plot.svg()));
    }

    /// Adds a drawing (an SVG, which must be well-formed) with a line of text below it.
    pub fn drawing(&mut self, svg: &str, caption: &str) {
        self.tag(&format!("<figure>{svg}<figcaption>{}</figcaption></figure>", escape(caption)));
    }

    /// Adds a script, which must need nothing from outside and must not be needed to read the page.
    /// What would end it early is written as an escape, which inside strings means the same.
    pub fn script(&mut self, script: &str) {
        self.tag(&format!("<script>{}</script>", script.replace("</", "<\\/")));
    }

    /// Adds data for a script, as JSON that is found by its name.
    pub fn data(&mut self, name: &str, data: &serde_json::Value) {
        let (name, text) = (escape(name), data.to_string().replace('<', "\\u003c"));
        self.tag(&format!("<script type=\"application/json\" id=\"{name}\">{text}</script>"));
    }

    /// Puts everything that `fill` adds behind a line that the reader can open.
    pub fn folded(&mut self, summary: &str, fill: impl FnOnce(&mut Page)) {
        self.tag(&format!("<details><summary>{}</summary>", escape(summary)));
        let outside = std::mem::replace(&mut self.folded, true);
        fill(self);
        self.folded = outside;
        self.tag("</details>");
    }

    fn note(&mut self, plot: &Plot, caption: &str) {
        if !self.folded {
            let (section, caption) = (self.section.clone(), caption.to_string());
            self.figures.push(Figure { section, caption, plot: plot.clone() });
        }
    }

    /// The plots that the page shows without being asked, in order.
    #[must_use]
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// Adds HTML, which must be well-formed and escaped where it has to be.
    pub(crate) fn raw(&mut self, html: &str) {
        self.tag(html);
    }

    fn tag(&mut self, html: &str) {
        self.body.push_str(html);
        self.body.push('\n');
    }

    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
             <title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n"
        );
        if self.headings.len() > 2 {
            out.push_str("<nav><ul>");
            for (i, heading) in self.headings.iter().enumerate() {
                let _ = write!(out, "<li><a href=\"#s{}\">{}</a></li>", i + 1, escape(heading));
            }
            out.push_str("</ul></nav>\n");
        }
        out.push_str(&self.body);
        out.push_str("</body></html>\n");
        out
    }
}

/// A table in the making. Columns of numbers are set right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    caption: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Table {
        Table { header: header.into_iter().map(Into::into).collect(), ..Table::default() }
    }

    /// Adds a line of text above the table.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Table {
        self.caption = caption.into();
        self
    }

    /// Adds a row. Missing cells are left empty, cells beyond the header are kept.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Has it no row?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn html(&self) -> String {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0).max(self.header.len());
        let cell = |row: &'_ [String], i: usize| row.get(i).cloned().unwrap_or_default();
        let numeric: Vec<bool> = (0..width)
            .map(|i| {
                let mut filled =
                    self.rows.iter().map(|r| cell(r, i)).filter(|c| !c.is_empty()).peekable();
                filled.peek().is_some() && filled.all(|c| is_number(&c))
            })
            .collect();
        let line = |row: &[String], tag: &str| -> String {
            let cells: String = (0..width)
                .map(|i| {
                    let class = if numeric[i] { " class=\"number\"" } else { "" };
                    format!("<{tag}{class}>{}</{tag}>", escape(&cell(row, i)))
                })
                .collect();
            format!("<tr>{cells}</tr>\n")
        };
        let caption = match self.caption.as_str() {
            "" => String::new(),
            text => format!("<caption>{}</caption>", escape(text)),
        };
        let rows: String = self.rows.iter().map(|r| line(r, "td")).collect();
        let head = line(&self.header, "th");
        format!(
            "<div class=\"scroll\"><table>{caption}<thead>{head}</thead><tbody>{rows}</tbody></table></div>"
        )
    }
}

/// Numbers as people write them: signs, grouping, percents, an error after ±.
fn is_number(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| "0123456789+-−.,%± e\u{202F}".contains(c))
        || matches!(text, "-" | "–" | "—")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::check;
    use proptest::prelude::*;

    fn example() -> Page {
        let mut page = Page::new("A <fit> & more");
        page.heading("First");
        page.paragraph("x < y");
        page.facts([("examples", "12,345"), ("method", "logistic")]);
        page.heading("Second");
        page.subheading("part");
        page.list(["one", "two"]);
        page.list(Vec::<String>::new());
        let mut table = Table::new(["feature", "weight"]).caption("Weights");
        table.row(["mobility", "0.31 ± 0.02"]);
        table.row(["<edge>", "-1.2e-3"]);
        table.row(["short"]);
        page.table(&table);
        page.heading("Third");
        page.folded("all numbers", |page| {
            page.plot_with_caption(&Plot::new("p").line("a", [(0.0, 1.0), (1.0, 2.0)]), "caption");
            page.preformatted("zug learn --data a&b");
        });
        page
    }

    #[test]
    fn a_page_is_well_formed_and_stands_alone() {
        let html = example().html();
        check(&html).unwrap();
        assert!(html.contains("<title>A &lt;fit&gt; &amp; more</title>"));
        assert!(
            html.contains("<a href=\"#s3\">Third</a>") && html.contains("<h2 id=\"s3\">Third</h2>")
        );
        assert!(html.contains("&lt;edge&gt;"));
        for outside in ["<script", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
        // Links stay on the page; the one address is the name of the SVG language.
        assert_eq!(html.matches("http").count(), 1);
    }

    #[test]
    fn plots_that_are_seen_at_once_are_told_in_order_with_their_section() {
        let mut page = example();
        let plot = Plot::new("q").x("games").line("a", [(0.0, 1.0), (1.0, f64::NAN)]);
        page.plot(&plot);
        assert_eq!(page.figures().len(), 1, "the folded one is not seen");
        let told = serde_json::to_value(&page.figures()[0]).unwrap();
        assert_eq!((&told["section"], &told["title"]), (&"Third".into(), &"q".into()));
        assert_eq!(told["series"][0]["mark"], "line");
        assert_eq!(told["series"][0]["points"].to_string(), "[[0.0,1.0],[1.0,null]]");
    }

    #[test]
    fn columns_of_numbers_are_set_right() {
        let html = example().html();
        assert!(html.contains("<td>mobility</td><td class=\"number\">0.31 ± 0.02</td>"));
        assert!(html.contains("<td>short</td><td class=\"number\"></td>"));
        assert!(html.contains("<th class=\"number\">weight</th>"));
        for (text, expected) in [
            ("12", true),
            ("-", true),
            ("−3.5 %", true),
            ("e", false),
            ("", false),
            ("12 discs", false),
        ] {
            assert_eq!(is_number(text), expected, "{text}");
        }
    }

    #[test]
    fn no_text_gets_out_of_a_script() {
        let mut page = Page::new("x");
        page.data("d", &serde_json::json!({"name": "</script><b>"}));
        page.script("if (1 < 2 && 3 > 2) console.log('</script>')");
        let html = page.html();
        check(&html).unwrap();
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(html.contains("{\"name\":\"\\u003c/script>\\u003cb>\"}"), "{html}");
    }

    proptest! {
        #[test]
        fn any_text_makes_a_well_formed_page(texts in proptest::collection::vec(any::<String>(), 6)) {
            let mut page = Page::new(texts[0].clone());
            page.heading(&texts[1]);
            page.paragraph(&texts[2]);
            let mut table = Table::new(&texts[..2]).caption(texts[5].clone());
            table.row(&texts[2..6]);
            page.table(&table);
            page.folded(&texts[3], |p| p.preformatted(&texts[4]));
            prop_assert_eq!(check(&page.html()), Ok(()));
        }
    }
}
