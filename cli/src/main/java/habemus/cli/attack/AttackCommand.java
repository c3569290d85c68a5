package habemus.cli.attack;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.serve.NodeProcessCommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.TemporaryFolder;
import habemus.cli.terminal.Terminal;
import habemus.harness.HarnessException;
import habemus.harness.attack.AttackBudget;
import habemus.harness.attack.AttackCampaign;
import habemus.harness.attack.AttackReport;
import habemus.harness.attack.VictimLauncher;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.SpellingSuggestion;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus attack}: hostile input against nodes of one's own, on loopback addresses only. */
public final class AttackCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String MARKS = "habemus attack";

    @Override
    public String name() {
        return "attack";
    }

    @Override
    public String summary() {
        return "Attacks nodes of its own with hostile input, beside a client that must not notice.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "[NAME…] [options]")
                .positionals("NAME", true)
                .flag(SECTION, "--list", "lists the attacks, and runs none")
                .flag(SECTION, "--quick", "seconds instead of minutes; latencies and leaks do not count")
                .value(SECTION, "--seed", "N", NumberOptions.count().withDefault(1), "seed of every mutation")
                .value(
                        SECTION,
                        "--from",
                        "N",
                        NumberOptions.countOrZero(),
                        "number of the first mutated frame (default: 0)")
                .value(SECTION, "--count", "N", NumberOptions.count(), "number of mutated frames at each target")
                .value(
                        SECTION,
                        "--max-time",
                        "TIME",
                        DurationOptions.duration(),
                        "ends each attack with mutated frames over sockets after this time (default: 10h)")
                .value(
                        SECTION,
                        "--cluster",
                        "NODES",
                        "attacks these running nodes on loopback addresses (default: starts its own)")
                .value(SECTION, "--write", "FILE", "also writes the report into the marked section of FILE");
        return syntax.jsonFlag(SECTION)
                .helpOption(SECTION)
                .exitCodes(
                        "0  every attack was repelled",
                        "1  an attack was not repelled",
                        "2  an option is invalid, such as an address that is not a loopback address",
                        "3  the nodes did not start")
                .examples(
                        "habemus attack --quick",
                        "habemus attack client-frames --seed 7 --from 4711 --count 16",
                        "habemus attack slow-connections --cluster n1=127.0.0.1:7601",
                        "habemus attack --write docs/security.md");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (parsed.hasMatchedOption("--list")) {
            AttackCampaign.attacks()
                    .forEach(attack -> terminal.out().printf("%-20s %s%n", attack.name(), attack.summary()));
            return ExitCode.OK;
        }
        var names = names(parsed);
        var running = running(parsed);
        var page = ParsedOptions.text(parsed, "--write");
        page.ifPresent(AttackCommand::section); // reports errors before anything runs
        var budget = budget(parsed);
        var report = ConsoleLogging.silenced(() -> attack(names, budget, running, terminal));
        page.ifPresent(file -> AtomicOutputFile.write(file, section(file).replaceWith(report.text())));
        terminal.out().println(parsed.hasMatchedOption("--json") ? report.json() : report.text());
        return report.isRepelled() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static AttackReport attack(
            List<String> names, AttackBudget budget, Optional<List<Member>> running, Terminal terminal) {
        var progress = new ProgressLine(terminal);
        try (var folder = TemporaryFolder.create("habemus-attack")) {
            var campaign = running.isPresent()
                    ? new AttackCampaign(budget, running.get(), progress)
                    : new AttackCampaign(budget, new VictimLauncher(NodeProcessCommand::new, folder.path()), progress);
            return campaign.run(names);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HarnessException("the attacks were interrupted", "let them run to their end, or add --quick");
        } finally {
            progress.clear();
        }
    }

    private static AttackBudget budget(ParseResult parsed) {
        long seed = ParsedOptions.<Long>get(parsed, "--seed");
        var whole = parsed.hasMatchedOption("--quick") ? AttackBudget.quick(seed) : AttackBudget.full(seed);
        var budget = ParsedOptions.<Duration>find(parsed, "--max-time")
                .map(whole::withMaxTime)
                .orElse(whole);
        long from = ParsedOptions.<Long>find(parsed, "--from").orElse(0L);
        return ParsedOptions.<Long>find(parsed, "--count")
                .map(count -> budget.withFrames(from, count))
                .orElse(budget);
    }

    private static List<String> names(ParseResult parsed) {
        var known = AttackCampaign.attacks().stream()
                .map(AttackCampaign.Description::name)
                .toList();
        var names = ParsedOptions.arguments(parsed);
        for (String name : names) {
            if (!known.contains(name)) {
                throw CommandException.usage(
                        "unknown attack: '" + name + "'",
                        SpellingSuggestion.hint(name, known) + "habemus attack --list lists them");
            }
        }
        return names;
    }

    private static Optional<List<Member>> running(ParseResult parsed) {
        return ParsedOptions.text(parsed, "--cluster").map(cluster -> {
            try {
                var members = Member.parse(cluster);
                VictimLauncher.requireLoopback(members);
                return members;
            } catch (IllegalArgumentException invalid) {
                throw CommandException.usage(String.valueOf(invalid.getMessage()), "write --cluster n1=127.0.0.1:7601");
            } catch (HarnessException notLoopback) {
                throw CommandException.usage(notLoopback.message(), notLoopback.hint());
            }
        });
    }

    private static MarkdownSection section(String file) {
        return MarkdownFile.readSection(file, MARKS, "the report of the attacks");
    }
}
