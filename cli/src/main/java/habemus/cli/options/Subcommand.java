package habemus.cli.options;

import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** A subcommand of {@code habemus}. */
public interface Subcommand {

    String name();

    /** One line for the help. */
    String summary();

    /** @param args the command line, because the options may depend on the algorithm it names */
    CommandSyntax syntax(List<String> args);

    /** @return the exit code */
    int run(ParseResult parsed, Terminal terminal);
}
