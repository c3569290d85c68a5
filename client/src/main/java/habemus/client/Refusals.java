package habemus.client;

import habemus.fenced.Answer;
import habemus.fenced.Parcel;
import java.util.Locale;

/** What the service means by no. */
final class Refusals {

    private Refusals() {}

    static Refused of(Answer.Fault fault, String what) {
        var code = fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return switch (fault) {
            case OTHER_SIZE ->
                new Refused(
                        code,
                        what + " is in use with another size",
                        "a semaphore has the same size for all, and a lock is no semaphore");
            case NOT_TOGETHER ->
                new Refused(
                        code,
                        what + " cannot be had together",
                        "name at least one, each once, and elections on their own");
            case NO_CANDIDATE ->
                new Refused(code, "nobody of that name is a candidate: " + what, "the name is that of its client");
            case NOT_LEADING -> new Refused(code, what + " is not led by this client", "only who leads can hand it on");
            case FORBIDDEN ->
                new Refused(code, "this client has no right to " + what, "ask for the right, or use another token");
            case TOO_MANY ->
                new Refused(code, "too many wait for " + what + ", or this client asks too much at once", "try later");
            case WRONG_NAME -> new Refused(code, what + " is no good name", "it is empty, or too long");
        };
    }

    static Refused of(Parcel.Refused refused) {
        return new Refused(refused.code(), refused.message(), refused.hint());
    }
}
