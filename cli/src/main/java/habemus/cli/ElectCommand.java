package habemus.cli;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus elect}: runs a command while leader. */
final class ElectCommand implements Command {

    @Override
    public String name() {
        return "elect";
    }

    @Override
    public String summary() {
        return "Runs a command as soon as the node that is asked leads, and stops it when it no longer does.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Tenure.sheet(this)
                .value(
                        "Options:",
                        "--rank",
                        "N",
                        "of those who wait, who has the highest leads next (standard: 0; production service)")
                .example("habemus elect scheduler -- ./scheduler.sh", "habemus elect scheduler --rank 5 -- ./job.sh");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return new Tenure(
                        parsed,
                        name -> Stake.leadership(name, rank(parsed)),
                        "habemus elect scheduler -- ./job.sh",
                        terminal)
                .run();
    }

    private static Optional<Integer> rank(ParseResult parsed) {
        return Output.text(parsed, "--rank").map(text -> {
            if (!text.matches("-?\\d{1,9}")) {
                throw Refusal.wrong("--rank " + ShellWords.quote(text) + " is no number", "write it as in --rank 5");
            }
            return Integer.parseInt(text);
        });
    }
}
