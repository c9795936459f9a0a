/** Keys that nobody ever had. They are put together here, so that no scanner takes a test for a leak. */
const madeUp = (...parts: string[]): string => parts.join("");

/** The form of an AWS access key. */
export const AWS_KEY = madeUp("AKIA", "Q4ZJ7XW2PLM5RT6V");
/** The access key that AWS itself uses in its documentation. */
export const AWS_EXAMPLE_KEY = madeUp("AKIA", "IOSFODNN7EXAMPLE");
/** The form of a GitHub token. */
export const GITHUB_TOKEN = madeUp("ghp", "_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
/** The beginning of a private key as it stands in a string. */
export const PRIVATE_KEY_TEXT = madeUp("-----BEGIN RSA PRIVATE", " KEY-----\\nMIIEowIBAAKCAQEA7bq98zcmnVVw0fQ2\\n");
/** The beginning of a private key as it stands in a file. */
export const PRIVATE_KEY_FILE = PRIVATE_KEY_TEXT.replaceAll("\\n", "\n");
