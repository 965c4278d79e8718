/**
 * The script and the style of the page. scripts/build.mjs makes them from src/page and puts them in place. With this
 * file as it stands, pages have neither, and show what needs no script.
 */
export const pageScript = '';
export const pageStyle = '';
