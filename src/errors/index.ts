export { errorCatalogue, type ErrorCode, type ErrorData, type Refusal } from "./catalogue.ts";
export { didYouMean } from "./entry.ts";
export { describeRefusal, httpStatus, isTeamError, refusal, TeamError, toolRefusalText } from "./team-error.ts";
