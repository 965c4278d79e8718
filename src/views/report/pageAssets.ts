/**
 * The script and the style of the page. scripts/build.mjs puts them in place, made of src/page; as this file stands, pages have neither,
 * and show what needs no script.
 */
export const pageScript = '';
export const pageStyle = '';
