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
        return "Starts the service, as a cluster of real processes here, and shows who leads, holds and waits.";
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
                        "habemus up",
                        "habemus up -n 5 --restart --data cluster",
                        "habemus up -n 5 --algorithm maekawa --election bully");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        int nodes = (int) Numbers.upTo(NODES_MAX, parsed, "-n", NODES);
        return ServeOptions.isClassic(parsed) ? classic(parsed, terminal, nodes) : fenced(parsed, terminal, nodes);
    }

    private static int classic(ParseResult parsed, Terminal terminal, int nodes) {
        var locks = ServeOptions.recipe(parsed, "--algorithm", ServeOptions.LOCKS, Problem.MUTEX, nodes);
        var elections = ServeOptions.recipe(parsed, "--election", ServeOptions.ELECTIONS, Problem.ELECTION, nodes);
        var options = List.of("--algorithm", locks.text(), "--election", elections.text());
        var screen = Screen.of(parsed, terminal, nodes + " nodes, locks by " + locks + ", elections by " + elections);
        return show(parsed, screen, fleet(parsed, nodes, options, folders(parsed)));
    }

    /** Where nothing else is said, what the nodes must not forget is forgotten when all of it ends. */
    private static int fenced(ParseResult parsed, Terminal terminal, int nodes) {
        if (parsed.hasMatchedOption("--record")) {
            throw Refusal.wrong("--record is for algorithms of the catalogue", "name one with --algorithm");
        }
        var title = nodes + " node" + (nodes == 1 ? "" : "s") + " of the lock and election service"
                + (nodes < 3 ? ", NOT FAULT TOLERANT" : "");
        var screen = Screen.of(parsed, terminal, title);
        if (parsed.hasMatchedOption("--data")) {
            return show(parsed, screen, fleet(parsed, nodes, List.of(), folders(parsed)));
        }
        try (var passing = PassingFolder.make("habemus-up")) {
            return show(parsed, screen, fleet(parsed, nodes, List.of(), Map.of("--data", passing.path())));
        }
    }

    private static Fleet fleet(ParseResult parsed, int nodes, List<String> options, Map<String, Path> folders) {
        var all = new ArrayList<>(options);
        if (parsed.hasMatchedOption("--verbose")) {
            all.add("--verbose");
        }
        return new Fleet(nodes, ports(parsed, nodes), List.copyOf(all), folders);
    }

    private static int show(ParseResult parsed, Screen screen, Fleet fleet) {
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
                        "each needs its own, and those 100, 200 and 300 above it, and no other cluster may begin "
                                + "there; leave --port out to have some found"));
    }

    private static Map<String, Path> folders(ParseResult parsed) {
        var folders = new LinkedHashMap<String, Path>();
        for (String option : List.of("--data", "--record")) {
            Output.text(parsed, option).ifPresent(folder -> folders.put(option, Path.of(folder)));
        }
        return folders;
    }
}
