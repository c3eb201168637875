// Loaded before a command whose memory a test measures: prints the most it had in use, in kB.
process.on('exit', () => console.error(`peak ${process.resourceUsage().maxRSS}`));
