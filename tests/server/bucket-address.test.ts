import { expect, test } from 'vitest';
import { bucketAt, bucketProblem } from '../../server/uploads/bucket-address.ts';

test('reads bucket, folder, endpoint and region from the address', () => {
  const whole = 's3://uploads//North%20Power/desk/?endpoint=http://storage.example.com:9000&region=eu-1';
  expect(bucketAt(whole)).toEqual({
    bucket: 'uploads',
    prefix: 'North Power/desk/',
    endpoint: 'http://storage.example.com:9000',
    region: 'eu-1',
  });
  expect(bucketAt('s3://uploads')).toEqual({ bucket: 'uploads', prefix: '', endpoint: undefined, region: undefined });
  expect(bucketAt('s3://uploads/').prefix).toBe('');
});

test.each([
  ['s3://uploads', undefined],
  ['s3://uploads/a?endpoint=http://storage:9000', undefined],
  ['s3://uploads/a?endpoint=https://storage', undefined],
  ['uploads', '"uploads" is not an address as s3://bucket/folder'],
  ['https://uploads', '"https://uploads" is not an address as s3://bucket/folder'],
  ['s3:///folder', 'is not an address as s3://bucket/folder'],
  ['s3://key:secret@uploads', 'keys stand in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  ['s3://key@uploads', 'keys stand in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  ['s3://uploads?endpoint=storage', 'endpoint "storage" is not an address with http:// or https://.'],
  ['s3://uploads?endpoint=https:///', 'endpoint "https:///" is not an address with http:// or https://.'],
  ['s3://uploads?endpoint=', 'endpoint "" is not an address'],
])('checks %s as the address of a bucket: %s', (address, problem) => {
  const told = bucketProblem(address);
  if (problem === undefined) expect(told).toBeUndefined();
  else expect(told).toContain(problem);
});
