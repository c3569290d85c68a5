package habemus.harness.count;

import com.google.gson.JsonObject;
import habemus.cli.admin.ServiceClient;
import habemus.cli.bench.CountCommand;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.Terminal;
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
public record CountWorker(SharedCounter sharedCounter, long times, Optional<ServiceClient> lock) {

    private static final int WAIT_MILLIS = 30_000; // milliseconds: who waits longer is stuck
    private static final int LEASE_MILLIS = 60_000; // so is who holds it longer

    public static CountWorker of(ParseResult parsed, long times) {
        return new CountWorker(
                new SharedCounter(Path.of(
                        OutputOptions.text(parsed, CountCommand.WORKER_OPTION).orElseThrow())),
                times,
                OutputOptions.text(parsed, CountCommand.NODE_OPTION).map(ServiceClient::new));
    }

    public int run(Terminal terminal) {
        terminal.out().println("ready");
        terminal.flush();
        try {
            if (System.in.read() < 0) {
                return ExitCode.FAILURE; // whoever started it has gone
            }
            long done = 0;
            while (done < times && increment()) {
                done++;
            }
            terminal.out().println(done);
            return ExitCode.OK;
        } catch (IOException failed) {
            throw CommandException.failure("a node cannot be reached: " + failed, "has it ended?");
        }
    }

    /** Whether it was let in. */
    private boolean increment() throws IOException {
        if (lock.isEmpty()) {
            sharedCounter.increment();
            return true;
        }
        var serviceClient = lock.get();
        var body = new JsonObject();
        body.addProperty("wait", WAIT_MILLIS);
        body.addProperty("lease", LEASE_MILLIS);
        var granted = serviceClient.post("/locks/counter/acquire", body, Duration.ofMillis(2L * WAIT_MILLIS));
        if (!granted.isSuccess()) {
            return false;
        }
        sharedCounter.increment();
        return serviceClient
                .post(
                        "/tickets/" + granted.text("ticket") + "/release",
                        new JsonObject(),
                        Duration.ofMillis(WAIT_MILLIS))
                .isSuccess();
    }
}
