import { tooLargeText } from '../../src/domain/validate.ts';
import { Refusal } from '../errors/refusal.ts';

export function noUpload(): Refusal {
  return new Refusal(404, { message: 'There is no such upload.' });
}

export function wrongOffset(offset: number): Refusal {
  const message = `The upload goes on at ${offset}.`;
  return new Refusal(409, { message, code: 'wrong-offset' }, { 'Upload-Offset': String(offset) });
}

export function beyondLength(): Refusal {
  return new Refusal(413, { message: 'This piece goes beyond the end of its file.', code: 'beyond-length' });
}

export function tooLarge(size: number, limit: number): Refusal {
  const message = tooLargeText(size, limit);
  return new Refusal(413, { message, code: 'file-too-large' });
}

export function notTaken(): Refusal {
  const message = 'The file is neither a picture nor a PDF or Word document.';
  return new Refusal(415, { message, code: 'type-not-taken' });
}

export function wrongHash(): Refusal {
  return new Refusal(460, {
    message: 'The file did not arrive as it was sent. It has to be sent anew.',
    code: 'checksum-mismatch',
  });
}

export function noRoom(most: number, mostUploads: number): Refusal {
  const message = `Too many files of yours wait here for their changes: at most ${Math.floor(most / 1024 ** 2)} MB and ${mostUploads} files.`;
  return new Refusal(507, { message, code: 'staging-full' });
}
