package habemus.service.http;

import habemus.lockservice.OperationResult;

/** Why somebody has no ticket, or no good one. */
final class TicketErrors {

    private TicketErrors() {}

    static ApiException busy(TicketState ticketState, long wait) {
        var name = ticketState.wants().getFirst().resourceName().text();
        var what = ticketState.isElection()
                ? "the leadership of "
                : ticketState.wants().size() > 1 ? "what begins with " : "the lock ";
        return new ApiException(
                409,
                "busy",
                what + name + " was not granted within " + wait + " ms",
                ticketState.isElection() ? "GET /leaders/… tells who leads" : "GET /locks/… tells who has it");
    }

    static ApiException rejected(OperationResult.RejectionReason rejectionReason) {
        return switch (rejectionReason) {
            case SIZE_MISMATCH ->
                new ApiException(
                        409, "other-size", "others use it with another size", "ask with the same size as they do");
            case INVALID_COMBINATION ->
                ApiException.badRequest("these cannot be had together", "name each once, and no election among others");
            case FORBIDDEN -> new ApiException(403, "forbidden", "you have no right to use it", "ask for the right");
            case LIMIT_EXCEEDED ->
                new ApiException(
                        429, "too-many", "too many wait, or too much was asked for at once", "try again later");
            case INVALID_NAME ->
                ApiException.badRequest("a name is empty, or too long", "choose a shorter, plainer one");
            case NO_CANDIDATE, NOT_LEADER ->
                new ApiException(
                        409, "no-candidate", "nobody of that name is a candidate", "GET /leaders/… tells who is");
        };
    }

    static ApiException noMajority() {
        return new ApiException(
                503,
                "no-majority",
                "the service did not answer in time, and nobody knows whether it will",
                "is a majority of its nodes up? try again with the same ticket");
    }

    /** Whoever waits here is to come to an end. */
    static ApiException interrupted() {
        Thread.currentThread().interrupt();
        return stopping();
    }

    static ApiException stopping() {
        return new ApiException(503, "stopping", "this node is about to stop", "ask another node");
    }

    static ApiException unknown() {
        return ApiException.notFound(
                "there is no such ticket", "it was never given, or was given back, or its lease ran out");
    }

    static ApiException notHeld(TicketState ticketState, String state) {
        var what = ticketState.target();
        return state.equals("waiting")
                ? new ApiException(409, "waiting", "it is not granted yet", "wait for the answer to acquire")
                : new ApiException(
                        410,
                        state,
                        switch (state) {
                            case "expired" -> "the lease ran out: " + what + " was given back";
                            case "lost" -> what + " was lost: an operator has taken it back";
                            default -> "the ticket was given back already";
                        },
                        "whatever " + what + " protects must not be touched any more");
    }
}
