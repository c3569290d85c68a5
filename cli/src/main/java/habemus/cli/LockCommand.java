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
        return Stake.addTo(Tenure.sheet(this))
                .example(
                        "habemus lock orders --timeout 5s -- ./nightly.sh",
                        "habemus lock orders -- sh -c 'echo $HABEMUS_FENCE'",
                        "habemus lock orders --shared -- ./report.sh",
                        "habemus lock from --and to -- ./move.sh",
                        "habemus lock licences --permits 2 --of 5 -- ./render.sh");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return new Tenure(parsed, name -> Stake.lock(name, parsed), "habemus lock orders -- ./job.sh", terminal).run();
    }
}
