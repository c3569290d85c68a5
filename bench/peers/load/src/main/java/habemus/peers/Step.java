package habemus.peers;

/** What is done with a product whose nodes run. */
public sealed interface Step {

    /** Load that is not measured, until the compilers of all JVMs have done their work. */
    record Warm(int clients, double seconds) implements Step {}

    /** @param shared whether all want the same lock, or each its own */
    record Load(boolean shared, int clients, double seconds) implements Step {}

    /** Counts what the nodes sync to disk. */
    record Syncs(int clients, double seconds) implements Step {}

    /** Kill −9 of the leader while clients want locks. The last step: the node does not come back. */
    record Kill(int clients) implements Step {}

    /** So many sessions that do nothing. */
    record Idle(int sessions, double seconds) implements Step {}

    /** What a disk and a connection take without any product. */
    record Floor(double seconds) implements Step {}

    default String word() {
        return switch (this) {
            case Warm(int clients, double seconds) -> "warm:" + clients + ":" + seconds;
            case Load(boolean shared, int clients, double seconds) ->
                (shared ? "shared:" : "distinct:") + clients + ":" + seconds;
            case Syncs(int clients, double seconds) -> "syncs:" + clients + ":" + seconds;
            case Kill(int clients) -> "kill:" + clients;
            case Idle(int sessions, double seconds) -> "idle:" + sessions + ":" + seconds;
            case Floor(double seconds) -> "floor:" + seconds;
        };
    }

    static Step parse(String word) {
        var parts = word.split(":", -1);
        double last = Double.parseDouble(parts[parts.length - 1]);
        int count = (int) Double.parseDouble(parts[1]);
        return switch (parts[0]) {
            case "warm" -> new Warm(count, last);
            case "distinct" -> new Load(false, count, last);
            case "shared" -> new Load(true, count, last);
            case "syncs" -> new Syncs(count, last);
            case "kill" -> new Kill(count);
            case "idle" -> new Idle(count, last);
            case "floor" -> new Floor(last);
            default -> throw new IllegalArgumentException("no step: " + word);
        };
    }
}
