package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.course.servers.ServerCapacity;
import habemus.course.servers.ServerForm;
import habemus.course.servers.load.ServerSettings;
import habemus.lab.command.CommandException;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.SpellingSuggestion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/**
 * The options of {@code habemus servers}.
 *
 * @param rates requests a second; empty: doubled until the server is saturated
 * @param rate requests a second of an experiment with one rate
 * @param sizes of pools
 * @param givenDuration of each load; empty: the default of the experiment
 * @param clients number of clients of an experiment without a rate; empty: its default
 */
record ServersOptions(
        List<ServerForm> forms,
        List<Double> rates,
        Optional<Double> rate,
        List<Integer> sizes,
        Optional<Integer> clients,
        ServerSettings settings,
        Optional<Duration> givenDuration,
        Duration timeout) {

    private static final String LOAD = "Load:";
    private static final String SERVER = "Server:";
    static final long MAX_RATE = 100_000;
    private static final long MAX_THREADS = 1_000;
    private static final long MAX_CLIENTS = 10_000;
    private static final long MAX_CONNECTIONS = 8_000;
    private static final long MAX_SECONDS = 600;
    private static final long DEFAULT_SECONDS = 3;
    private static final long STALL_SECONDS = 10; // a closed loop hides a stall if it makes enough requests besides

    static CommandSyntax addTo(CommandSyntax syntax) {
        return addServerOptions(addLoadOptions(syntax));
    }

    private static CommandSyntax addLoadOptions(CommandSyntax syntax) {
        return syntax.value(
                        LOAD, "--rates", "N,N…", "offered requests/s (default: from 25 on, doubled until saturated)")
                .value(LOAD, "--rate", "N", NumberOptions.count(MAX_RATE), "requests/s of queues, pools and stall")
                .value(LOAD, "--sizes", "N,N…", "pool sizes of pools (default: around Little's law)")
                .value(
                        LOAD,
                        "--clients",
                        "N",
                        NumberOptions.count(MAX_CLIENTS),
                        "clients of connections (default: 1000) and of sessions (default: 10000)")
                .value(
                        LOAD,
                        "--seconds",
                        "N",
                        NumberOptions.count(MAX_SECONDS),
                        "duration of each load (default: " + DEFAULT_SECONDS + ", stall: " + STALL_SECONDS + ")")
                .value(
                        LOAD,
                        "--timeout",
                        "TIME",
                        DurationOptions.shortDuration().withDefault("2s"),
                        "after which a client stops waiting for a reply");
    }

    private static CommandSyntax addServerOptions(CommandSyntax syntax) {
        return syntax.value(SERVER, "--forms", "NAME,NAME…", "forms of the server (default: all)")
                .value(
                        SERVER,
                        "--cpu",
                        "TIME",
                        DurationOptions.shortDuration().withDefault("50us"),
                        "part of the service time that needs the processor")
                .value(
                        SERVER,
                        "--blocking",
                        "TIME",
                        DurationOptions.shortDuration().withDefault("20ms"),
                        "part of the service time in which a request waits")
                .value(
                        SERVER,
                        "--threads",
                        "N",
                        NumberOptions.count(MAX_THREADS).withDefault(16),
                        "threads of the pool and of the work stage")
                .value(
                        SERVER,
                        "--queue",
                        "N",
                        NumberOptions.count(MAX_CONNECTIONS).withDefault(64),
                        "requests that may wait in each queue")
                .value(
                        SERVER,
                        "--connections",
                        "N",
                        NumberOptions.count(MAX_CONNECTIONS).withDefault(2_000),
                        "connections that may be open at once");
    }

    static ServersOptions parse(ParseResult parsed) {
        var capacity = new ServerCapacity(
                ParsedOptions.getInt(parsed, "--threads"),
                ParsedOptions.getInt(parsed, "--queue"),
                ParsedOptions.getInt(parsed, "--connections"));
        var forms = forms(parsed);
        Duration cpu = ParsedOptions.get(parsed, "--cpu");
        Duration blocking = ParsedOptions.get(parsed, "--blocking");
        if (cpu.plus(blocking).isZero()) {
            throw CommandException.usage("--cpu and --blocking must not both be 0", "write --cpu 50us");
        }
        return new ServersOptions(
                forms,
                numbers(parsed, "--rates", MAX_RATE).stream()
                        .map(Integer::doubleValue)
                        .toList(),
                ParsedOptions.<Long>find(parsed, "--rate").map(Long::doubleValue),
                numbers(parsed, "--sizes", MAX_THREADS),
                ParsedOptions.<Long>find(parsed, "--clients").map(Math::toIntExact),
                new ServerSettings(forms.getFirst(), cpu, blocking, capacity),
                ParsedOptions.<Long>find(parsed, "--seconds").map(Duration::ofSeconds),
                ParsedOptions.get(parsed, "--timeout"));
    }

    /** The duration of each load of an experiment. */
    Duration duration(String experiment) {
        return givenDuration.orElse(Duration.ofSeconds(experiment.equals("stall") ? STALL_SECONDS : DEFAULT_SECONDS));
    }

    private static List<ServerForm> forms(ParseResult parsed) {
        return ParsedOptions.text(parsed, "--forms")
                .map(text -> Stream.of(text.split(",", -1))
                        .distinct()
                        .map(ServersOptions::form)
                        .toList())
                .orElse(List.of(ServerForm.values()));
    }

    private static ServerForm form(String name) {
        var names = Stream.of(ServerForm.values()).map(ServerForm::toString).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "unknown form of a server: '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "forms: " + String.join(", ", names));
        }
        return ServerForm.values()[names.indexOf(name)];
    }

    private static List<Integer> numbers(ParseResult parsed, String option, long max) {
        return ParsedOptions.text(parsed, option).stream()
                .flatMap(text -> Stream.of(text.split(",", -1)).map(part -> number(option, text, part, max)))
                .distinct()
                .sorted()
                .toList();
    }

    private static int number(String option, String text, String part, long max) {
        if (!part.matches("\\d{1,6}") || Integer.parseInt(part) < 1 || Integer.parseInt(part) > max) {
            throw CommandException.usage(
                    option + " must be a list of numbers from 1 to " + max + ", was '" + text + "'",
                    "write " + option + " 10,20,40");
        }
        return Integer.parseInt(part);
    }
}
