/**
 * The script and the style of the page. scripts/build.mjs builds them from src/page and inserts them. With this placeholder file, pages
 * have neither, and show what needs no script.
 */
export const pageScript = '';
export const pageStyle = '';
