package habemus.lab.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.Algorithm;
import habemus.lab.language.Language;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The part of an algorithm's page that is written by hand, as plain text. The pages are those of the documentation,
 * {@code docs/algorithms}, and are shipped with the build. The Portuguese ones are in its folder {@code pt}.
 *
 * @param title what the algorithm is, in a few words
 * @param idea one paragraph each
 * @param rules what a node does when something happens; empty for a program of threads
 * @param commands to try, each with a comment; may be empty
 */
public record Explanation(String title, List<String> idea, List<Rule> rules, List<Command> commands) {

    private static final Pattern TITLE = Pattern.compile("(?m)^# `[^`]+`: (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?s)```\\w*\n(.*?)```");
    private static final Pattern COMMAND = Pattern.compile("(?m)^(\\./habemus .*?)(?: {2,}(.*))?$");
    private static final Pattern RULE = Pattern.compile("(?m)^\\| (.+?) \\| (.+?) \\|$");
    private static final Pattern NOT_PROSE = Pattern.compile("(?s)(?:[!|<]|```).*|\\[[^]]*]\\([^)]*\\)");
    private static final Pattern LIST_ITEM = Pattern.compile("\n(?=(?:- |\\d+\\. ))");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    /** @param when an event: a call, a message, a timer or a suspicion */
    public record Rule(String when, String does) {}

    /** @param comment what it shows; may be empty */
    public record Command(String line, String comment) {}

    /** Empty for an algorithm that is not in the catalogue. */
    public static Optional<Explanation> of(Algorithm algorithm, Language language) {
        var english = read(algorithm.name() + ".md");
        var page = language == Language.ENGLISH ? english : read(language.code() + "/" + algorithm.name() + ".md");
        return page.map(text -> new Explanation(
                title(text), idea(introduction(text)), rules(text), commands(introduction(english.orElseThrow()))));
    }

    private static Optional<String> read(String name) {
        try (var file = Explanation.class.getResourceAsStream(name)) {
            return file == null ? Optional.empty() : Optional.of(new String(file.readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String introduction(String page) {
        int end = page.indexOf("\n## ");
        return end < 0 ? page : page.substring(0, end);
    }

    private static String title(String page) {
        var title = TITLE.matcher(page);
        return title.find() ? plain(title.group(1)) : "";
    }

    /** The paragraphs and list items before the first code block, picture, table or line with only a link. */
    private static List<String> idea(String introduction) {
        var paragraphs = new ArrayList<String>();
        for (String block : introduction.split("\n\n+", -1)) {
            var text = block.strip();
            if (NOT_PROSE.matcher(text).matches()) {
                break;
            }
            if (!text.startsWith("#")) {
                LIST_ITEM.splitAsStream(text).map(Explanation::plain).forEach(paragraphs::add);
            }
        }
        return List.copyOf(paragraphs);
    }

    private static List<Rule> rules(String page) {
        int start = Math.max(page.indexOf("\n## Rules\n"), page.indexOf("\n## Regras\n"));
        if (start < 0) {
            return List.of();
        }
        int end = page.indexOf("\n## ", start + 1);
        return RULE.matcher(end < 0 ? page.substring(start) : page.substring(start, end))
                .results()
                .skip(1) // the heading
                .map(row -> new Rule(plain(row.group(1)), plain(row.group(2))))
                .toList();
    }

    private static List<Command> commands(String introduction) {
        return FENCED.matcher(introduction)
                .results()
                .flatMap(block -> COMMAND.matcher(block.group(1)).results())
                .map(found -> new Command(
                        found.group(1), Optional.ofNullable(found.group(2)).orElse("")))
                .toList();
    }

    /** Without links and emphasis, in one line. */
    private static String plain(String markdown) {
        return LINK.matcher(markdown.replaceAll("\\s+", " "))
                .replaceAll("$1")
                .replaceAll("[`*]", "")
                .strip();
    }
}
