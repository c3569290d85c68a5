package habemus.service.http;

/** Why a request is not answered as its client hoped: what is wrong, and what to do instead. */
final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String hint;

    /** @param status of HTTP */
    ApiException(int status, String code, String message, String hint) {
        super(message);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    /** What was asked cannot be meant. */
    static ApiException badRequest(String message, String hint) {
        return new ApiException(400, "wrong", message, hint);
    }

    static ApiException notFound(String message, String hint) {
        return new ApiException(404, "unknown", message, hint);
    }

    int status() {
        return status;
    }

    ApiResponses.ErrorResponse body() {
        return new ApiResponses.ErrorResponse(new ApiResponses.ErrorDetail(code, String.valueOf(getMessage()), hint));
    }
}
