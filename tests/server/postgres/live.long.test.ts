import '../on-postgres.ts';
import '../presence.test.ts';
import '../live-feed.test.ts';
import '../batch-limits.test.ts';
