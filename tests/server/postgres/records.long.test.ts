import '../on-postgres.ts';
import '../first-rows.test.ts';
import '../resources.test.ts';
import '../versions.test.ts';
import '../conflicts.test.ts';
import '../activity.test.ts';
