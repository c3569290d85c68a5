package habemus.cli;

import habemus.world.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** {@code habemus up}: a cluster of real processes in one terminal, to try things out. */
final class UpCommand implements Command {

    private static final String SECTION = "Options:";
    private static final int NODES = 3;
    private static final int NODES_MAX = 99;
    private static final int PORT_MAX = 65_000;

    @Override
    public String name() {
        return "up";
    }

    @Override
    public String summary() {
        return "Starts a cluster of real processes here, and shows who leads, holds and waits. Ctrl-C ends all of it.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        var sheet = new Sheet(this, "[-n N] [options]")
                .value(SECTION, "-n", "N", "how many nodes (standard: " + NODES + ")")
                .value(SECTION, "--port", "PORT", "where the first one listens (standard: where there is room)")
                .flag(SECTION, "--restart", "starts a node that was killed again")
                .flag(SECTION, "--json", "writes a JSON document a line for everything that happens");
        ServeOptions.algorithms(sheet);
        return ServeOptions.disk(sheet)
                .flag(SECTION, "--verbose", "shows what the nodes log")
                .value(SECTION, "--color", "WHEN", "auto, always or never")
                .help(SECTION)
                .example(
                        "habemus up -n 5 --algorithm maekawa --election bully",
                        "habemus up -n 5 --election term-majority --data cluster --restart");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        int nodes = (int) Numbers.upTo(NODES_MAX, parsed, "-n", NODES);
        var locks = ServeOptions.recipe(parsed, "--algorithm", ServeOptions.LOCKS, Problem.MUTEX, nodes);
        var elections = ServeOptions.recipe(parsed, "--election", ServeOptions.ELECTIONS, Problem.ELECTION, nodes);
        var options = new ArrayList<>(List.of("--algorithm", locks.text(), "--election", elections.text()));
        if (parsed.hasMatchedOption("--verbose")) {
            options.add("--verbose");
        }
        var fleet = new Fleet(nodes, ports(parsed, nodes), List.copyOf(options), folders(parsed));
        var screen = Screen.of(parsed, terminal, nodes + " nodes, locks by " + locks + ", elections by " + elections);
        try (var show = new Show(fleet, screen, parsed.hasMatchedOption("--restart"));
                var interruption = new Interruption(show::end)) {
            int code = show.run();
            return interruption.isAsked() ? ExitCode.DONE : code;
        }
    }

    private static Ports ports(ParseResult parsed, int nodes) {
        if (!parsed.hasMatchedOption("--port")) {
            return Ports.find(nodes);
        }
        int port = (int) Numbers.upTo(PORT_MAX, parsed, "--port", PORT_MAX);
        return Ports.at(port, nodes)
                .orElseThrow(() -> Refusal.cannot(
                        "not all ports from " + port + " on that " + nodes + " nodes need are free",
                        "each needs its own, and those 100 and 200 above it, and no other cluster may begin there; "
                                + "leave --port out to have some found"));
    }

    private static Map<String, Path> folders(ParseResult parsed) {
        var folders = new LinkedHashMap<String, Path>();
        for (String option : List.of("--data", "--record")) {
            Output.text(parsed, option).ifPresent(folder -> folders.put(option, Path.of(folder)));
        }
        return folders;
    }
}
