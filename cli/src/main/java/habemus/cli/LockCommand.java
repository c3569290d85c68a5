package habemus.cli;

import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus lock}: runs a command under a lock. */
final class LockCommand implements Command {

    @Override
    public String name() {
        return "lock";
    }

    @Override
    public String summary() {
        return "Runs a command under a lock. It is stopped before the lock can be somebody else's.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Tenure.sheet(this)
                .example(
                        "habemus lock orders --timeout 5s -- ./nightly.sh",
                        "habemus lock orders -- sh -c 'echo $HABEMUS_FENCE'");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return new Tenure(parsed, Tenure.Kind.LOCK, terminal).run();
    }
}
