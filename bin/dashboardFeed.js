'use strict';
// The thread that reads, watches and simulates for the dashboard.
require('./bundle.js').load('dashboardFeed.cjs').main();
