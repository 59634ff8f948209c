// Stands for Chart.js in a build without it.
