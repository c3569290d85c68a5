package habemus.harness.faults;

import habemus.harness.HarnessException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Processes into which {@link RandomFaults} injects faults. */
public interface FaultTargets {

    /** Numbers of the processes. */
    List<Integer> nodes();

    /** Faults that these processes support. */
    List<RandomFaults.Kind> kinds();

    /** Sends SIGKILL; returns when the process has exited. */
    void kill(int node);

    /** Starts a killed process again, and waits until it is ready. */
    void restart(int node);

    /** Sends SIGSTOP, and SIGCONT after this time; returns then. */
    void pause(int node, Duration time) throws InterruptedException;

    /** Cuts links of the process, and heals them after this time; returns then. */
    void partition(int node, RandomFaults.Kind kind, Duration time, Random random) throws InterruptedException;

    /** Runs in a process of its own: if this JVM exits during the pause, the target is resumed all the same. */
    static void pause(long pid, Duration time) throws InterruptedException {
        var seconds = Double.toString(time.toMillis() / 1e3);
        var script = "trap '' INT; kill -STOP \"$1\"; sleep \"$2\"; kill -CONT \"$1\"";
        try {
            new ProcessBuilder("sh", "-c", script, "pause", Long.toString(pid), seconds)
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
        } catch (IOException failed) {
            throw new HarnessException(
                    "cannot pause process " + pid + ": " + failed.getMessage(), "install sh and kill");
        }
    }
}
