package habemus.service.http;

import habemus.fenced.Answer;

/** Why somebody has no ticket, or no good one. */
final class TicketTrouble {

    private TicketTrouble() {}

    static Trouble busy(Seat seat, long wait) {
        var name = seat.wants().getFirst().name().text();
        var what =
                seat.isElection() ? "the leadership of " : seat.wants().size() > 1 ? "what begins with " : "the lock ";
        return new Trouble(
                409,
                "busy",
                what + name + " was not granted within " + wait + " ms",
                seat.isElection() ? "GET /leaders/… tells who leads" : "GET /locks/… tells who has it");
    }

    static Trouble refused(Answer.Fault fault) {
        return switch (fault) {
            case OTHER_SIZE ->
                new Trouble(409, "other-size", "others use it with another size", "ask with the same size as they do");
            case NOT_TOGETHER ->
                Trouble.wrong("these cannot be had together", "name each once, and no election among others");
            case FORBIDDEN -> new Trouble(403, "forbidden", "you have no right to use it", "ask for the right");
            case TOO_MANY ->
                new Trouble(429, "too-many", "too many wait, or too much was asked for at once", "try again later");
            case WRONG_NAME -> Trouble.wrong("a name is empty, or too long", "choose a shorter, plainer one");
            case NO_CANDIDATE, NOT_LEADING ->
                new Trouble(409, "no-candidate", "nobody of that name is a candidate", "GET /leaders/… tells who is");
        };
    }

    static Trouble noMajority() {
        return new Trouble(
                503,
                "no-majority",
                "the service did not answer in time, and nobody knows whether it will",
                "is a majority of its nodes up? try again with the same ticket");
    }

    /** Whoever waits here is to come to an end. */
    static Trouble interrupted() {
        Thread.currentThread().interrupt();
        return stopping();
    }

    static Trouble stopping() {
        return new Trouble(503, "stopping", "this node is about to stop", "ask another node");
    }

    static Trouble unknown() {
        return Trouble.unknown(
                "there is no such ticket", "it was never given, or was given back, or its lease ran out");
    }

    static Trouble over(Seat seat, String state) {
        var what = seat.words();
        return state.equals("waiting")
                ? new Trouble(409, "waiting", "it is not granted yet", "wait for the answer to acquire")
                : new Trouble(
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
