package main

// skipsDeletedClusters reports whether the scheduler never looks at clusters that are being deleted.
const skipsDeletedClusters = true
