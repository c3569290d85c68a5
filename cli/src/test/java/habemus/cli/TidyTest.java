package habemus.cli;

import static java.util.Map.entry;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Enforces how code and prose read. Each test is a rule, and its name states the rule. */
class TidyTest {

    private static final Path ROOT = CliRunner.root();
    private static final List<Path> FILES = files();
    private static final List<Source> SOURCES =
            parse(FILES.stream().filter(TidyTest::isJava).toList());
    private static final int CLASSES_PER_PACKAGE_MAX = 40;

    /** Words that say nothing or need an explanation. What to write instead is in CONTRIBUTING.md and the glossary. */
    private static final Pattern BANNED_WORDS = Pattern.compile(
            "\\b(?i:(?-i:[Nn]obody)|whoever|somebody|anybody|everybody|anew|meanwhile|what came|if nothing is said"
                    + "|let(s|ting)? (\\w+ )?in(?= |\\.|,|;|:|$)(?! (the|a|an|its|this|order)\\b)|who is inside"
                    + "|(stands?|stood|standing) (still|in line)|put(s|ting)? out"
                    + "|(gives?|gave|given|giving) (back|up)|struck|fared|under way|mended|hurry|hurries"
                    + "|doors?|desks?|parcels?|judges?|judged|hazards?|happenings|museum|onlookers?)\\b");

    /** A participle or an adjective alone says nothing about what the object is. */
    private static final Pattern NOT_A_NOUN = Pattern.compile(
            "[A-Z][a-z]+(ed|ful|less|ous|able|ible|ive)|Told|Given|Taken|Seen|Heard|Shrunk|Sent|Lost|Struck|Terse"
                    + "|Lasting|Detecting|Dicing|Settling|Renaming|Applying|Counting|Serving");

    /** Files that may break a rule, and why. The key is the rule and the file. */
    private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
            entry("nothing_is_left_to_be_done cli/src/test/java/habemus/cli/TidyTest.java", "names the words it bans"),
            entry("no_banned_word_is_used cli/src/test/java/habemus/cli/TidyTest.java", "names the words it bans"),
            entry("no_banned_word_is_used client/postgresql", "names a Unix user"),
            entry("no_banned_word_is_used CHANGELOG.md", "names the words that were replaced"),
            entry("a_sentence_has_at_most_25_words docs/raft.md", "two enumerations, of defects and of faults"),
            entry(
                    "a_class_name_is_unique_in_the_main_code core/src/main/java/habemus/protocol/Election.java",
                    "an algorithm; the library of applications has the same word for its elections"),
            entry(
                    "a_class_name_is_unique_in_the_main_code client/src/main/java/habemus/client/Election.java",
                    "the public word of the library"),
            entry(
                    "an_exception_ends_in_exception core/src/main/java/habemus/protocol/ProtocolBug.java",
                    "an assertion: no caller handles it"),
            entry(
                    "a_file_has_at_most_600_lines core/src/main/java/habemus/lockservice/table/CommandApplier.java",
                    "every command of the table, with its quotas, tickets and successors"),
            entry(
                    "a_file_has_at_most_600_lines service/src/main/java/habemus/service/raft/RaftLog.java",
                    "joins the parts of the log, each of which is a file of its own"),
            entry(
                    "only_the_command_line_prints examples/src/main/java/example/NightlyReport.java",
                    "shows what it does"),
            entry("only_the_command_line_prints examples/src/main/java/example/Scheduler.java", "shows what it does"),
            entry("only_the_command_line_prints examples/src/main/java/example/OrderWorker.java", "shows what it does"),
            entry(
                    "only_the_command_line_prints logs/postgresql/src/test/java/habemus/log/postgresql/"
                            + "ApplicationTest.java",
                    "replies to its parent process on standard output"),
            entry(
                    "only_the_command_line_prints stress/src/main/java/habemus/stress/StressMain.java",
                    "replies to its parent process on standard output"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/BenchMain.java",
                    "a command line of its own, outside the usual build"),
            entry("only_the_command_line_prints bench/src/main/java/habemus/bench/OutputPage.java", "the same"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/browser/BrowserCommand.java",
                    "the same"),
            entry("only_the_command_line_prints bench/src/main/java/habemus/bench/log/LogCommand.java", "the same"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/log/LogNodeMain.java",
                    "replies to its parent process on standard output"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/oracle/RaftOracleCommand.java",
                    "the same"),
            entry("only_the_command_line_prints bench/src/main/java/habemus/bench/peers/PeersCommand.java", "the same"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/service/LargeTableCommand.java",
                    "the same"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/service/SnapshotPauseCommand.java",
                    "the same"),
            entry(
                    "only_the_command_line_prints bench/src/main/java/habemus/bench/transport/TransportCommand.java",
                    "the same"),
            entry(
                    "only_the_command_line_prints bench/peers/load/src/main/java/habemus/bench/product/"
                            + "ProductDriver.java",
                    "replies to its parent process on standard output"),
            entry(
                    "only_the_command_line_prints course/src/main/java/habemus/course/chapter/ProcessIsolation.java",
                    "its child process replies on standard output"),
            entry(
                    "only_the_command_line_prints course/src/main/java/habemus/course/chapter/DaemonThreads.java",
                    "the same"),
            entry(
                    "only_the_command_line_prints course/src/main/java/habemus/course/chapter/CpuAffinity.java",
                    "the same"),
            entry(
                    "only_the_command_line_prints bench/peers/load/src/main/java/habemus/bench/product/"
                            + "LoadStep.java",
                    "reports errors to its parent process"));

    private String rule = "";

    @BeforeEach
    void the_name_of_the_test_is_the_rule(TestInfo test) {
        rule = test.getTestMethod().orElseThrow().getName();
    }

    @Test
    void a_line_has_at_most_120_columns() {
        forbid(lines(line -> line.codePointCount(0, line.length()) > 120), "break it");
    }

    @Test
    void a_file_has_at_most_600_lines() {
        forbid(filesLongerThan(600, ""), "split it by idea");
    }

    @Test
    void an_algorithm_has_at_most_215_lines_after_its_imports() {
        forbid(
                Stream.of("mutex/", "election/")
                        .flatMap(folder -> filesLongerThan(215, "algorithms/src/main/java/habemus/" + folder)),
                "keep the idea, and move what other algorithms could use to protocol");
    }

    @Test
    void a_method_has_at_most_40_lines() {
        forbid(trees(MethodTree.class, method -> method.lines() > 40), "extract steps with a name");
    }

    @Test
    void a_method_has_at_most_5_parameters() {
        forbid(
                trees(MethodTree.class, method -> method.tree.getParameters().size() > 5 && !method.isCompact()),
                "make a record of those that belong together");
    }

    @Test
    void only_the_command_line_prints() {
        forbid(
                uses("System\\.(out|err)").filter(place -> !place.file.startsWith("cli/src/main/")),
                "return a value, and let the command line print it");
    }

    @Test
    void a_test_never_sleeps() {
        forbid(
                uses("(Thread|TimeUnit\\.\\w+)\\.sleep").filter(place -> place.file.contains("/src/test/")),
                "wait for a condition, or let virtual time pass");
    }

    @Test
    void a_package_says_what_it_is_for_and_is_null_marked() {
        forbid(
                mainSources()
                        .map(source -> source.file.resolveSibling("package-info.java"))
                        .filter(info -> SOURCES.stream().noneMatch(s -> s.file.equals(info) && s.introducesPackage()))
                        .map(info -> new Place(name(info), 1)),
                "write a package-info.java with a sentence of Javadoc and @NullMarked");
    }

    /** The package of the client is its API: splitting it would make its inner classes public. */
    @Test
    void a_package_has_at_most_40_classes() {
        var byPackage = mainSources()
                .filter(source -> !source.name().endsWith("-info.java"))
                .filter(source -> !source.name().startsWith("client/"))
                .collect(groupingBy(source -> source.file.getParent(), counting()));
        assertThat(byPackage)
                .allSatisfy((folder, count) ->
                        assertThat(count).as(folder.toString()).isLessThanOrEqualTo(CLASSES_PER_PACKAGE_MAX));
    }

    @Test
    void a_class_is_named_after_what_it_is() {
        var empty = Pattern.compile(".*(Manager|Helper|Utils?|Impl)");
        forbid(
                trees(
                        ClassTree.class,
                        type -> empty.matcher(type.tree.getSimpleName()).matches()),
                "use the word of the field");
    }

    @Test
    void a_class_name_is_unique_in_the_main_code() {
        var byName = mainSources()
                .filter(source -> !source.name().endsWith("-info.java"))
                .collect(groupingBy(source -> source.file.getFileName().toString()));
        forbid(
                byName.values().stream()
                        .filter(sources -> sources.size() > 1)
                        .flatMap(List::stream)
                        .map(source -> new Place(source.name(), 1)),
                "say what is different about it");
    }

    /**
     * Top-level classes only: a case of a sealed type, such as {@code Waiting}, reads with the name of its type. An
     * interface may be named after a capability, as in the JDK.
     */
    @Test
    void a_class_name_is_not_a_participle_or_adjective_alone() {
        forbid(
                mainSources()
                        .filter(source -> source.unit.getTypeDecls().stream()
                                .filter(type -> type.getKind() != Tree.Kind.INTERFACE)
                                .anyMatch(type -> type instanceof ClassTree named
                                        && NOT_A_NOUN
                                                .matcher(named.getSimpleName())
                                                .matches()))
                        .map(source -> new Place(source.name(), 1)),
                "add the noun");
    }

    @Test
    void an_exception_ends_in_exception() {
        var thrown = Pattern.compile("(.*\\.)?\\w*(Exception|Error)");
        forbid(
                trees(
                        ClassTree.class,
                        type -> type.tree.getExtendsClause() != null
                                && !type.tree.getSimpleName().isEmpty()
                                && thrown.matcher(type.tree.getExtendsClause().toString())
                                        .matches()
                                && !thrown.matcher(type.tree.getSimpleName()).matches()),
                "name it …Exception");
    }

    /** In Java, documentation, scenarios and other text that people read. */
    @Test
    void no_banned_word_is_used() {
        forbid(
                FILES.stream()
                        .filter(file -> name(file).matches(".*\\.(java|md|scenario|mutants|json|txt|xml|html)|[^.]+"))
                        .flatMap(file -> lines(
                                file,
                                line -> BANNED_WORDS
                                        .matcher(line.replace('_', ' '))
                                        .find())),
                "make a component the subject, and use the word of the field");
    }

    /** In the README and the pages of docs, without tables, code and what a command writes between two markers. */
    @Test
    void a_sentence_has_at_most_25_words() {
        forbid(
                FILES.stream()
                        .filter(file ->
                                name(file).matches("(README|CONTRIBUTING|docs/(algorithms/)?[^/]+)(\\.pt)?\\.md"))
                        .flatMap(file -> MarkdownText.of(read(file)).sentencesLongerThan(25).stream()
                                .map(line -> new Place(name(file), line))),
                "one idea a sentence");
    }

    @Test
    void an_import_names_one_thing() {
        forbid(
                trees(
                        ImportTree.class,
                        line -> line.tree.getQualifiedIdentifier().toString().endsWith(".*")),
                "import classes one by one");
    }

    @Test
    void nothing_is_left_to_be_done() {
        var marker = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");
        forbid(lines(line -> marker.matcher(line).find()), "do it now, or open an issue");
    }

    @Test
    void no_file_names_a_folder_of_one_machine() {
        var folder = Pattern.compile("(?<![\\w.}*-])/(work|root|home/\\w+|Users/\\w+)/");
        forbid(
                FILES.stream()
                        .flatMap(
                                file -> lines(file, line -> folder.matcher(line).find())),
                "find it at run time, or name it relative to the repository");
    }

    private static Stream<Source> mainSources() {
        return SOURCES.stream().filter(source -> source.name().contains("/src/main/java/habemus/"));
    }

    /** Fails with every offence that has no exception, and with every exception that has no offence. */
    private void forbid(Stream<Place> offences, String advice) {
        var places = offences.distinct().toList();
        var excused = places.stream().map(place -> rule + " " + place.file).toList();
        assertThat(places.stream()
                        .filter(place -> !EXCEPTIONS.containsKey(rule + " " + place.file))
                        .map(place -> place + ": " + rule.replace('_', ' ') + "; " + advice)
                        .collect(joining("\n")))
                .isEmpty();
        assertThat(EXCEPTIONS.keySet().stream().filter(key -> key.startsWith(rule + " ")))
                .as("only exceptions that are still needed")
                .isSubsetOf(excused);
    }

    private static Stream<Place> lines(Predicate<String> wrong) {
        return SOURCES.stream().flatMap(source -> lines(source.file, wrong));
    }

    private static Stream<Place> lines(Path file, Predicate<String> wrong) {
        var text = read(file);
        return IntStream.range(0, text.size())
                .filter(i -> wrong.test(text.get(i)))
                .mapToObj(i -> new Place(name(file), i + 1));
    }

    private static Stream<Place> filesLongerThan(int most, String folder) {
        return SOURCES.stream()
                .filter(source -> source.name().startsWith(folder))
                .filter(source -> read(source.file).size() - (folder.isEmpty() ? 0 : source.heading()) > most)
                .map(source -> new Place(source.name(), most + 1));
    }

    /** Where the code, not a comment or a string, names what the pattern says, with or without its package. */
    private static Stream<Place> uses(String pattern) {
        var used = Pattern.compile("([a-z]+\\.)*(" + pattern + ")");
        return trees(
                MemberSelectTree.class,
                name -> used.matcher(name.tree.toString()).matches());
    }

    private static <T extends Tree> Stream<Place> trees(Class<T> kind, Predicate<Found<T>> wrong) {
        return SOURCES.stream()
                .flatMap(source -> source.all(kind))
                .filter(wrong)
                .map(Found::place);
    }

    private record Place(String file, long line) {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }

    private record Found<T extends Tree>(Source source, T tree) {
        Place place() {
            return new Place(source.name(), line(source.positions().getStartPosition(source.unit, tree)));
        }

        long lines() {
            return line(source.positions().getEndPosition(source.unit, tree)) - place().line + 1;
        }

        /** Whether this is the compact constructor of a record: what it takes stands before it, in the header. */
        boolean isCompact() {
            var start = source.positions().getStartPosition(source.unit, tree);
            return tree instanceof MethodTree method
                    && method.getParameters().stream()
                            .allMatch(parameter -> source.positions().getStartPosition(source.unit, parameter) < start);
        }

        private long line(long position) {
            return source.unit.getLineMap().getLineNumber(position);
        }
    }

    private record Source(Path file, CompilationUnitTree unit, Trees trees) {
        String name() {
            return TidyTest.name(file);
        }

        SourcePositions positions() {
            return trees.getSourcePositions();
        }

        /** How many lines come before the reading matter: the package and the imports. */
        int heading() {
            return unit.getImports().stream()
                    .mapToInt(line ->
                            (int) unit.getLineMap().getLineNumber(positions().getEndPosition(unit, line)))
                    .max()
                    .orElse(1);
        }

        boolean introducesPackage() {
            var home = unit.getPackage();
            var says = trees.getDocComment(TreePath.getPath(unit, home));
            return says != null
                    && says.contains(".")
                    && home.getAnnotations().toString().contains("@NullMarked");
        }

        <T extends Tree> Stream<Found<T>> all(Class<T> kind) {
            var found = new ArrayList<Found<T>>();
            new TreeScanner<Void, Void>() {
                @Override
                public Void scan(Tree tree, Void nothing) {
                    if (kind.isInstance(tree)) {
                        found.add(new Found<>(Source.this, kind.cast(tree)));
                    }
                    return super.scan(tree, null);
                }
            }.scan(unit, null);
            return found.stream();
        }
    }

    private static List<Source> parse(List<Path> files) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var units = manager.getJavaFileObjectsFromPaths(files);
            var task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null, units);
            var trees = Trees.instance(task);
            return StreamSupport.stream(task.parse().spliterator(), false)
                    .map(unit -> new Source(Path.of(unit.getSourceFile().toUri()), unit, trees))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All files of the repository; what is generated, and what a tool keeps for itself, does not count. */
    private static List<Path> files() {
        var others = Set.of(".git", ".idea", ".vscode", "node_modules", "target");
        try (var all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                            .noneMatch(step -> others.contains(step.toString())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isJava(Path file) {
        return name(file).matches("(\\w+/)+src/(main|test)/java/.*\\.java");
    }

    private static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** The lines of a text file; none, if it is not text. */
    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException binary) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
