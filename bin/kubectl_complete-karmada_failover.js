#!/usr/bin/env node
'use strict';
// kubectl runs this for what follows "kubectl karmada-failover", the word that is being typed last.
const { main } = require('./bundle.js').load('complete.cjs');
main(process.argv.slice(2)).then((code) => process.exit(code));
