/** How much mail goes into one model call. */
export interface MailBatchLimits {
  readonly messagesMax: number;
  readonly bytesMax: number;
}

/** 20 messages, 24 KiB of bodies. */
const mailBatchLimits: MailBatchLimits = Object.freeze({ messagesMax: 20, bytesMax: 24 * 1024 });

/**
 * The mail of the next model call: from the oldest on, in order, up to before a limit is exceeded, but always at least
 * one. `bytes` is the size of the body.
 */
export function batchMail<Mail extends { readonly bytes: number }>(
  unread: readonly Mail[],
  { messagesMax, bytesMax }: MailBatchLimits = mailBatchLimits,
): readonly Mail[] {
  let bytes = 0;
  const end = unread.findIndex((mail, index) => {
    bytes += mail.bytes;
    return index > 0 && (index >= messagesMax || bytes > bytesMax);
  });
  return end === -1 ? unread : unread.slice(0, end);
}
