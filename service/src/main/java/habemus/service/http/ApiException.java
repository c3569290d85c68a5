package habemus.service.http;

/** An error response: HTTP status, a stable code for programs, a message and a hint for people. */
final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String hint;

    /** @param status the HTTP status code */
    ApiException(int status, String code, String message, String hint) {
        super(message);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    static ApiException badRequest(String message, String hint) {
        return new ApiException(400, "invalid-request", message, hint);
    }

    static ApiException notFound(String message, String hint) {
        return new ApiException(404, "not-found", message, hint);
    }

    static ApiException internalError() {
        return new ApiException(500, "internal-error", "internal error", "see the log of the node for the stack trace");
    }

    /** For a request that is rejected before it is complete, for example malformed HTTP. */
    static ApiException rejection(int status, String reason) {
        return switch (status) {
            case 413 -> new ApiException(413, "too-large", reason, "send a smaller body");
            case 408 -> new ApiException(408, "timeout", reason, "send the request again");
            default ->
                new ApiException(
                        status, "invalid-request", "invalid request: " + reason, "see docs/http.md for all requests");
        };
    }

    int status() {
        return status;
    }

    ApiResponses.ErrorResponse body() {
        return new ApiResponses.ErrorResponse(new ApiResponses.ErrorDetail(code, String.valueOf(getMessage()), hint));
    }
}
