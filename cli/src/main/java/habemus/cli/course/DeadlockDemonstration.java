package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.ProgressLine;
import habemus.course.threads.LockOrderRun;
import habemus.course.threads.ThreadKind;
import habemus.lab.table.TextTable;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads deadlock}: a live deadlock of two locks, found, shown and ended. */
final class DeadlockDemonstration implements ThreadDemonstration {

    private static final int TRANSFERS = 10_000;
    private static final String BROKEN = "./habemus check lock-order";
    private static final String CURE = "./habemus check lock-order --variant ordered";

    @Override
    public String name() {
        return "deadlock";
    }

    @Override
    public String claim() {
        return "Two threads that take two locks in opposite order can wait for each other for ever.";
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        return ThreadDemonstration.addKind(syntax, "both")
                .examples("habemus threads deadlock", "habemus threads deadlock --kind virtual --json");
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        var table = new TextTable("threads", "thread", "waits for", "held by", "at");
        Map<String, String> notes = new LinkedHashMap<>();
        var rows = new JsonArray();
        var cycles = new StringBuilder();
        boolean isAsClaimed = true;
        long ordered = 0;
        var kinds = ThreadDemonstration.kinds(parsed);
        for (var kind : kinds) {
            progress.showText("deadlock of two " + kind + " threads");
            var deadlock = new LockOrderRun(kind).oppositeOrder();
            long transfers = new LockOrderRun(kind).sameOrder(TRANSFERS);
            deadlock.cycle()
                    .waits()
                    .forEach(wait -> table.row(kind, wait.thread(), "lock " + wait.lock(), wait.owner(), wait.line()));
            cycles.append('\n').append(kind).append(": ").append(deadlock.cycle());
            notes.put(kind.toString(), seenByJvm(deadlock));
            isAsClaimed &= deadlock.cycle().isDeadlock() && deadlock.hasEnded() && transfers == 2L * TRANSFERS;
            ordered += transfers;
            rows.add(json(deadlock, transfers));
        }
        notes.put("ended by", "an interrupt of one thread: lockInterruptibly returns, and its lock is released");
        notes.put(
                "cure",
                "with the same order for all threads, " + ordered + " of " + 2L * TRANSFERS * kinds.size()
                        + " transfers ended");
        notes.put("checked", "a deadlock in its shortest run: " + BROKEN + "; none in any run: " + CURE);
        var json = new JsonObject();
        json.add("deadlocks", rows);
        json.addProperty("checker", BROKEN);
        return new Finding(table.text() + cycles, notes, json, isAsClaimed);
    }

    private static String seenByJvm(LockOrderRun.Deadlock deadlock) {
        if (!deadlock.seenByJvm().isEmpty()) {
            return "found by findDeadlockedThreads of ThreadMXBean: " + String.join(", ", deadlock.seenByJvm());
        }
        return deadlock.kind() == ThreadKind.VIRTUAL
                ? "not found by findDeadlockedThreads of ThreadMXBean, which ignores virtual threads; found by asking"
                        + " the locks for their holder and their waiters"
                : "not found by findDeadlockedThreads of ThreadMXBean";
    }

    private static JsonObject json(LockOrderRun.Deadlock deadlock, long ordered) {
        var json = ThreadDemonstration.json(deadlock);
        json.addProperty("transfersInOrder", ordered);
        return json;
    }
}
