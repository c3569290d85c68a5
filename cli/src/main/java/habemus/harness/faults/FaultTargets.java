package habemus.harness.faults;

import habemus.cli.terminal.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Processes that faults may strike. */
public interface FaultTargets {

    /** By number. */
    List<Integer> nodes();

    /** What can be done to them. */
    List<RandomFaults.Kind> kinds();

    /** Kill −9; returns when it is dead. */
    void kill(int node);

    /** Starts one again that was killed, and waits until it answers. */
    void restart(int node);

    /** SIGSTOP, and SIGCONT after this time; returns then. */
    void pause(int node, Duration time) throws InterruptedException;

    /** Cuts wires of it, and mends them after this time; returns then. */
    void partition(int node, RandomFaults.Kind how, Duration time, Random random) throws InterruptedException;

    /** A process of its own sees to it, so that nobody stays stopped if this one ends meanwhile. */
    static void pause(long pid, Duration time) throws InterruptedException {
        var seconds = Double.toString(time.toMillis() / 1e3);
        var script = "trap '' INT; kill -STOP \"$1\"; sleep \"$2\"; kill -CONT \"$1\"";
        try {
            new ProcessBuilder("sh", "-c", script, "pause", Long.toString(pid), seconds)
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot stop a process: " + refused.getMessage(), "is there a sh, and a kill?");
        }
    }
}
