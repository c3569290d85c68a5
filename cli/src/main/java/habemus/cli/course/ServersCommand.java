package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus servers}: the lock coordinator as a TCP server in six forms, under load. */
public final class ServersCommand implements Subcommand {

    private static final String SECTION = "Output:";
    private static final List<ServersExperiment> EXPERIMENTS = List.of(
            new LoadExperiment(),
            new QueueExperiment(),
            new PoolExperiment(),
            new ConnectionExperiment(),
            new StallExperiment(),
            new SessionExperiment());

    @Override
    public String name() {
        return "servers";
    }

    @Override
    public String summary() {
        return "Measures a lock server in six forms under load, and servers with and without sessions.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "[load|queues|pools|connections|stall|sessions] [options]")
                .positionals("WHAT", false);
        return ServersOptions.addTo(syntax)
                .value(SECTION, "--svg", "FILE", "draws the result; a second chart is written beside it")
                .value(SECTION, "--write", "FILE", "also writes the tables into the marked section of FILE")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples(
                        "habemus servers --rates 25,50,100,200,400 --svg load.svg",
                        "habemus servers pools --rate 400 --blocking 20ms",
                        "habemus servers sessions");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var experiment = experiment(ParsedOptions.firstArgument(parsed).orElse("load"));
        ParsedOptions.reject(
                parsed,
                experiment.unusedOptions(),
                "is not an option of servers " + experiment.name(),
                "leave it out; habemus servers --help names the experiments");
        var options = ServersOptions.parse(parsed);
        var command = "habemus servers " + experiment.name();
        var file = ParsedOptions.text(parsed, "--write");
        file.ifPresent(name -> MarkdownFile.readSection(name, command, "these servers")); // before anything runs
        var progress = new ProgressLine(terminal);
        var report = experiment.run(options, progress::showText);
        progress.clear();
        ParsedOptions.text(parsed, "--svg").ifPresent(name -> draw(report, name));
        file.ifPresent(name -> AtomicOutputFile.write(
                name, MarkdownFile.readSection(name, command, "these servers").replaceWith(report.markdown())));
        terminal.out().print(parsed.hasMatchedOption("--json") ? report.json() + "\n" : report.text());
        return ExitCode.OK;
    }

    private static void draw(ServersReport report, String name) {
        int dot = name.endsWith(".svg") ? name.length() - ".svg".length() : name.length();
        report.charts()
                .forEach((suffix, chart) ->
                        AtomicOutputFile.write(name.substring(0, dot) + suffix + name.substring(dot), chart.draw()));
    }

    private static ServersExperiment experiment(String name) {
        var names = EXPERIMENTS.stream().map(ServersExperiment::name).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "unknown experiment: '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "experiments: " + String.join(", ", names));
        }
        return EXPERIMENTS.get(names.indexOf(name));
    }
}
