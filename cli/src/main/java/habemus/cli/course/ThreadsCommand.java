package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.course.chapter.Demonstrations;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads}: runs the classic programs of threads on the real JVM. */
public final class ThreadsCommand implements Subcommand {

    private static final String LIST = "list";

    private static final List<ThreadDemonstration> PROGRAMS = Stream.<ThreadDemonstration>concat(
                    Demonstrations.ALL.stream().map(ChapterDemonstration::new),
                    Stream.of(
                            new CounterDemonstration(),
                            new DeadlockDemonstration(),
                            new FalseSharingDemonstration(),
                            new ThroughputDemonstration(),
                            new StressDemonstration(),
                            new LinearizabilityDemonstration()))
            .toList();

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public String summary() {
        return "Runs programs of threads on the real JVM: pools, locks, lost updates, a deadlock, false sharing.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var program = args.stream()
                .flatMap(word -> PROGRAMS.stream().filter(one -> one.name().equals(word)))
                .findFirst();
        var syntax = new CommandSyntax(
                        this, program.map(one -> one.name() + " [options]").orElse("list|PROGRAM"))
                .positionals("PROGRAM", false);
        program.ifPresentOrElse(
                one -> one.addOptions(syntax),
                () -> syntax.examples("habemus threads list", "habemus threads counter --help"));
        return syntax.value(
                        ThreadDemonstration.SECTION,
                        "--write",
                        "FILE",
                        "also writes the text into the marked section of FILE and of its translation")
                .jsonFlag(ThreadDemonstration.SECTION)
                .helpOption(ThreadDemonstration.SECTION);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var name = ParsedOptions.firstArgument(parsed)
                .orElseThrow(
                        () -> CommandException.usage("PROGRAM is missing", "habemus threads list shows the programs"));
        boolean asJson = parsed.hasMatchedOption("--json");
        if (name.equals(LIST)) {
            terminal.out().print(asJson ? jsonList() + "\n" : textList(terminal.columns()));
            return ExitCode.OK;
        }
        var program = find(name).orElseThrow(() -> unknown(name));
        var pages = ParsedOptions.text(parsed, "--write").stream()
                .flatMap(file -> MarkdownFile.withTranslation(file).stream())
                .toList();
        pages.forEach(page -> section(page, program)); // reports errors before anything runs
        var progress = new ProgressLine(terminal);
        var finding = program.run(parsed, progress);
        progress.clear();
        pages.forEach(page -> AtomicOutputFile.write(
                page, section(page, program).replaceWith("```text\n" + finding.text(program.claim()) + "```\n")));
        if (asJson) {
            var json = new JsonObject();
            json.addProperty("program", program.name());
            json.addProperty("claim", program.claim());
            json.addProperty("asClaimed", finding.isAsClaimed());
            finding.json().entrySet().forEach(entry -> json.add(entry.getKey(), entry.getValue()));
            terminal.out().println(json);
        } else {
            terminal.out().print(finding.text(program.claim()));
        }
        return finding.isAsClaimed() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static MarkdownSection section(String page, ThreadDemonstration program) {
        var command = "habemus threads " + program.name();
        return MarkdownFile.readSection(page, command, command);
    }

    private static Optional<ThreadDemonstration> find(String name) {
        return PROGRAMS.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    private static CommandException unknown(String name) {
        var names = PROGRAMS.stream().map(ThreadDemonstration::name).toList();
        return CommandException.usage(
                "unknown program: '" + name + "'",
                SpellingSuggestion.hint(name, names) + "habemus threads list shows the programs");
    }

    private static String textList(int columns) {
        var text = new TwoColumnText(columns, 0, 17);
        PROGRAMS.forEach(program -> text.row(program.name(), program.claim()));
        return text.toString();
    }

    private static JsonObject jsonList() {
        var programs = new JsonArray();
        PROGRAMS.forEach(program -> {
            var entry = new JsonObject();
            entry.addProperty("name", program.name());
            entry.addProperty("claim", program.claim());
            programs.add(entry);
        });
        var json = new JsonObject();
        json.add("programs", programs);
        return json;
    }
}
