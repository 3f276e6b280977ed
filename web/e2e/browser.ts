// Which browser, and how it is started: the one of the system, which talks to nobody but us.
export const BROWSER = {
  executablePath: process.env.ZUG_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
  ],
};
