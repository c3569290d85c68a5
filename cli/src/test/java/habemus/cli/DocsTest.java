package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.ExitCode;
import habemus.lab.command.ShellSyntax;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands, findings, code, pictures and links of the documentation are up to date. */
@Tag("slow")
class DocsTest {

    private static final Path ROOT = CliRunner.root();
    private static final Pattern COMMAND = Pattern.compile(
            "(?m)^\\./habemus ((?:run|list|explain|advise \\w|fuzz|check|quorum|timeout).*?)(?: {2,}.*)?$");
    private static final Pattern NOT_RUN = Pattern.compile("(?m)^\\./habemus (.*)$");
    private static final Pattern QUESTION = Pattern.compile("(?m)^### (.*)$");
    private static final Pattern SCENARIO = Pattern.compile("gallery:([a-z][\\w-]*)");
    private static final Pattern THREADS = Pattern.compile("habemus threads ([\\w-]+)");
    private static final Pattern DRAWING = Pattern.compile("(?m)^\\./habemus (.*) --svg (docs/threads/[\\w-]+\\.svg)$");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^):#]*)(?:#([^):]*))?\\)");

    @TempDir
    Path folder;

    static Stream<String> commands() {
        return Stream.of("README.md", "docs/tour.md", "docs/benchmarks.md", "docs/concurrency.md")
                .flatMap(name -> COMMAND.matcher(read(ROOT.resolve(name))).results())
                .map(found -> found.group(1))
                .filter(command -> !command.contains("docs/threads/")); // see a_picture_is_what_its_command_draws
    }

    /** Runs the command as it is printed, but with few seeds and other output files. */
    @ParameterizedTest
    @MethodSource("commands")
    void a_command_in_the_documentation_runs(String command) {
        var words = command.replace("--svg ", "--svg " + folder + "/");
        var cli = CliRunner.line(words.startsWith("fuzz") ? words + " --seeds 20" : words);
        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isIn(ExitCode.OK, ExitCode.VIOLATED);
        assertThat(cli.out()).isNotEmpty();
    }

    /** Benchmarks are not run by tests; only the marked section is checked. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "habemus bench simulator",
                "habemus bench checker",
                "habemus bench elections",
                "habemus bench network",
                "habemus bench failover",
                "bench/run",
                "bench/run browser",
                "bench/run peers",
                "bench/run sessions"
            })
    void a_benchmark_has_a_marked_section(String command) {
        var page = read(ROOT.resolve("docs/benchmarks.md"));
        assertThat(MarkdownSection.find(page, command)).isPresent();
        assertThat(page).contains(command + " --write docs/benchmarks.md");
    }

    /** Programs on the JVM are not run by this test: {@code habemus threads NAME --write} writes their sections. */
    @Test
    void the_chapter_has_a_section_for_every_program_of_threads() {
        var page = read(ROOT.resolve("docs/concurrency.md"));
        var programs = CliRunner.run("threads", "list", "--json").json().getAsJsonArray("programs").asList().stream()
                .map(program -> program.getAsJsonObject().get("name").getAsString())
                .toList();
        assertThat(programs).allSatisfy(name -> {
            assertThat(page).contains("```\n./habemus threads " + name + "\n```");
            assertThat(MarkdownSection.find(page, "habemus threads " + name)).isPresent();
        });
        assertThat(THREADS.matcher(page).results().map(found -> found.group(1)))
                .isSubsetOf(Stream.concat(programs.stream(), Stream.of("list", "NAME"))
                        .toList());
    }

    /** Servers are not measured by tests either. */
    @ParameterizedTest
    @ValueSource(strings = {"load", "queues", "pools", "connections", "stall", "sessions"})
    void an_experiment_with_servers_has_a_marked_section(String experiment) {
        var page = read(ROOT.resolve("docs/servers.md"));
        assertThat(MarkdownSection.find(page, "habemus servers " + experiment)).isPresent();
        assertThat(page).containsPattern("habemus servers " + experiment + " .*--write docs/servers.md");
    }

    static Stream<Arguments> findings() {
        return Stream.of("docs/findings.md", "docs/concurrency.md", "docs/lectures.md")
                .flatMap(name -> CommandExcerpt.of(read(ROOT.resolve(name))).stream()
                        .map(finding -> Arguments.of(finding.command(), finding, name)));
    }

    /** {@code -Dhabemus.rewrite=true} takes the new lines over, into the translation of the page too. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("findings")
    void a_finding_is_printed_by_its_command(String command, CommandExcerpt finding, String page) {
        var output = CliRunner.line(command).out();
        if (Boolean.getBoolean("habemus.rewrite")) {
            renew(ROOT.resolve(page), finding, output);
            renew(ROOT.resolve(page.replace(".md", ".pt.md")), finding, output);
        } else {
            assertThat(CommandExcerpt.withoutWidths(output)).containsSubsequence(finding.parts());
        }
    }

    private static synchronized void renew(Path page, CommandExcerpt finding, String output) {
        if (Files.exists(page)) {
            write(page, finding.renewedIn(read(page), output));
        }
    }

    static Stream<String> commandsNotRun() {
        return NOT_RUN.matcher(read(ROOT.resolve("docs/lectures.md"))).results().map(found -> found.group(1));
    }

    /** Real threads, servers and clusters are not run by this test, but their programs and options exist. */
    @ParameterizedTest
    @MethodSource("commandsNotRun")
    void a_command_that_is_not_run_is_in_the_help(String line) {
        var words = ShellSyntax.split(line);
        var options = words.stream().takeWhile(word -> !word.equals("--")).filter(word -> word.startsWith("-"));
        var programs = words.stream().skip(1).limit(1);
        var help = CliRunner.run(words.getFirst(), "--help").out()
                + CliRunner.run("threads", "list").out();
        assertThat(Stream.concat(programs, options))
                .allSatisfy(word -> assertThat(help).containsPattern("(?<![\\w-])" + word + "(?![\\w-])"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/lectures.md", "docs/lectures.pt.md"})
    void the_contents_of_the_lectures_list_every_question(String name) {
        var page = read(ROOT.resolve(name));
        assertThat(QUESTION.matcher(page).results().map(found -> MarkdownText.anchor(found.group(1))))
                .isNotEmpty()
                .allSatisfy(anchor -> assertThat(page).contains("](#" + anchor + ")\n"));
    }

    @Test
    void code_in_the_documentation_is_in_the_sources() {
        var source = unspaced(read(ROOT.resolve("algorithms/src/main/java/habemus/election/ChangRoberts.java")))
                + unspaced(read(ROOT.resolve("examples/src/main/java/example/NightlyReport.java")));
        assertThat(JAVA.matcher(read(ROOT.resolve("README.md"))).results().map(found -> unspaced(found.group(1))))
                .isNotEmpty()
                .allSatisfy(code -> assertThat(source).contains(code));
    }

    /** {@code -Dhabemus.rewrite=true} draws the pictures again. Several runs have numbered pictures. */
    @ParameterizedTest
    @MethodSource("pictures")
    void a_picture_is_what_its_scenario_draws(Path picture) throws IOException {
        var name = picture.getFileName().toString().replace(".svg", "");
        boolean whole = Files.exists(CliRunner.scenarios().resolve(name + ".scenario"));
        boolean log = name.matches(".*-log(-\\d)?"); // a picture of the logs at the end
        var unnumbered = whole ? name : name.replaceFirst("-\\d$", "");
        var scenario = log ? unnumbered.replaceFirst("-log$", "") : unnumbered;
        var option = log ? " --log-svg " : " --svg ";
        CliRunner.line("run gallery:" + scenario + option + folder.resolve(unnumbered + ".svg"));
        var drawn = folder.resolve(name + ".svg");
        if (Boolean.getBoolean("habemus.rewrite")) { // only this one: the docs do not show the others
            Files.copy(drawn, picture, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(drawn).hasSameTextualContentAs(picture);
    }

    static Stream<Arguments> drawnRuns() {
        return DRAWING.matcher(read(ROOT.resolve("docs/concurrency.md")))
                .results()
                .map(found -> Arguments.of(found.group(1), found.group(2)));
    }

    /** {@code -Dhabemus.rewrite=true} draws the pictures again. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("drawnRuns")
    void a_picture_is_what_its_command_draws(String command, String picture) throws IOException {
        var drawn = folder.resolve("drawn.svg");
        CliRunner.line(command + " --svg " + drawn);
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.copy(drawn, ROOT.resolve(picture), StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(drawn).hasSameTextualContentAs(ROOT.resolve(picture));
    }

    static List<Path> pictures() throws IOException {
        try (var pictures = Files.list(ROOT.resolve("docs/pictures"))) {
            return pictures.filter(one -> !one.getFileName().toString().matches("(compare|servers)-.*"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_link_has_a_target(Path page) {
        assertThat(LINK.matcher(read(page)).results()).allSatisfy(link -> {
            var target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).exists();
            if (link.group(2) != null) {
                assertThat(MarkdownText.anchors(read(target))).contains(link.group(2));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_scenario_that_a_page_names_is_in_the_gallery(Path page) {
        assertThat(SCENARIO.matcher(read(page)).results().map(found -> found.group(1) + ".scenario"))
                .allSatisfy(
                        file -> assertThat(CliRunner.scenarios().resolve(file)).exists());
    }

    static List<Path> pages() throws IOException {
        try (var top = Files.list(ROOT);
                var docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static String unspaced(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
