#!/usr/bin/env node
'use strict';
const { main, root } = require('./bundle.js').load('main.cjs');
main(process.argv.slice(2), root).then((code) => {
  process.exitCode = code;
});
