package habemus.bench.product;

/** A benchmark step on a running product. It has a text form for command lines. */
public sealed interface BenchmarkStep {

    /** Load that is not measured, until the JIT compilers have settled. */
    record WarmUp(int clients, double seconds) implements BenchmarkStep {}

    /** @param shared whether all clients use one lock, or each its own */
    record Load(boolean shared, int clients, double seconds) implements BenchmarkStep {}

    /** Counts sync calls of the nodes. */
    record CountSyncs(int clients, double seconds) implements BenchmarkStep {}

    /** Kill −9 of the leader under load. Must be the last step: the node is not restarted. */
    record KillLeader(int clients) implements BenchmarkStep {}

    /** Opens idle sessions. */
    record IdleSessions(int sessions, double seconds) implements BenchmarkStep {}

    /** Measures disk and network latency without the product. */
    record MeasureFloor(double seconds) implements BenchmarkStep {}

    default String format() {
        return switch (this) {
            case WarmUp(int clients, double seconds) -> "warm:" + clients + ":" + seconds;
            case Load(boolean shared, int clients, double seconds) ->
                (shared ? "shared:" : "distinct:") + clients + ":" + seconds;
            case CountSyncs(int clients, double seconds) -> "syncs:" + clients + ":" + seconds;
            case KillLeader(int clients) -> "kill:" + clients;
            case IdleSessions(int sessions, double seconds) -> "idle:" + sessions + ":" + seconds;
            case MeasureFloor(double seconds) -> "floor:" + seconds;
        };
    }

    static BenchmarkStep parse(String word) {
        var parts = word.split(":", -1);
        double last = Double.parseDouble(parts[parts.length - 1]);
        int count = (int) Double.parseDouble(parts[1]);
        return switch (parts[0]) {
            case "warm" -> new WarmUp(count, last);
            case "distinct" -> new Load(false, count, last);
            case "shared" -> new Load(true, count, last);
            case "syncs" -> new CountSyncs(count, last);
            case "kill" -> new KillLeader(count);
            case "idle" -> new IdleSessions(count, last);
            case "floor" -> new MeasureFloor(last);
            default -> throw new IllegalArgumentException("unknown benchmark step: " + word);
        };
    }
}
