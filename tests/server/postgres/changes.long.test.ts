import '../on-postgres.ts';
import '../idempotency.test.ts';
import '../batches.test.ts';
import '../feed.test.ts';
