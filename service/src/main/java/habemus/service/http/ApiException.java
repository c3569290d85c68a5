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

    int status() {
        return status;
    }

    ApiResponses.ErrorResponse body() {
        return new ApiResponses.ErrorResponse(new ApiResponses.ErrorDetail(code, String.valueOf(getMessage()), hint));
    }
}
