package habemus.cli.options;

import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** Something that {@code habemus} can do. */
public interface Command {

    String name();

    /** One line. */
    String summary();

    /** What may be said to it; {@code args} is what was said, since options can depend on it. */
    CommandSyntax syntax(List<String> args);

    /** @return the exit code */
    int run(ParseResult parsed, Terminal terminal);
}
