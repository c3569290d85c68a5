package habemus.cli;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * One of the processes that count. It says when it is ready, begins when it is told to, and says in the end how often
 * it has incremented.
 *
 * @param lock the node through which the lock is taken; nothing if none is
 */
record CountWorker(Counter counter, long times, Optional<Door> lock) {

    private static final int PATIENCE = 30_000; // milliseconds: who waits longer is stuck
    private static final int LEASE = 60_000; // so is who holds it longer

    static CountWorker of(ParseResult parsed, long times) {
        return new CountWorker(
                new Counter(Path.of(Output.text(parsed, CountCommand.WORKER).orElseThrow())),
                times,
                Output.text(parsed, CountCommand.AT).map(Door::new));
    }

    int run(Terminal terminal) {
        terminal.out().println("ready");
        terminal.flush();
        try {
            if (System.in.read() < 0) {
                return ExitCode.CANNOT_RUN; // whoever started it has gone
            }
            long done = 0;
            while (done < times && increment()) {
                done++;
            }
            terminal.out().println(done);
            return ExitCode.DONE;
        } catch (IOException failed) {
            throw Refusal.cannot("a node cannot be reached: " + failed, "has it ended?");
        }
    }

    /** Whether it was let in. */
    private boolean increment() throws IOException {
        if (lock.isEmpty()) {
            counter.increment();
            return true;
        }
        var door = lock.get();
        var body = new JsonObject();
        body.addProperty("wait", PATIENCE);
        body.addProperty("lease", LEASE);
        var granted = door.post("/locks/counter/acquire", body, Duration.ofMillis(2L * PATIENCE));
        if (!granted.isDone()) {
            return false;
        }
        counter.increment();
        return door.post(
                        "/tickets/" + granted.text("ticket") + "/release",
                        new JsonObject(),
                        Duration.ofMillis(PATIENCE))
                .isDone();
    }
}
