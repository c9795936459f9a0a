/** Whether a value is an object of any kind. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
