package habemus.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The running text of a Markdown file: paragraphs and list items, without headings, tables, code blocks and the blocks
 * that a command writes between a begin and an end marker.
 */
record MarkdownText(List<Paragraph> paragraphs) {

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern LIST_ITEM = Pattern.compile("([-*+>]|\\d+\\.) ");
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])[)*_\"]*\\s+| · ");

    /** @param line the number of its first line, from 1 */
    private record Paragraph(int line, String text) {

        boolean hasSentenceLongerThan(int words) {
            return SENTENCE_END
                    .splitAsStream(plain())
                    .anyMatch(sentence -> Arrays.stream(sentence.split("\\s+"))
                                    .filter(word -> word.matches(".*[\\p{L}\\p{N}].*"))
                                    .count()
                            > words);
        }

        /** A code span is one word, and a link is its text. */
        private String plain() {
            return text.replaceAll("`[^`]*`", "code").replaceAll("!?\\[([^]]*)]\\([^)]*\\)", "$1");
        }
    }

    static MarkdownText of(List<String> lines) {
        var paragraphs = new ArrayList<Paragraph>();
        var text = new StringBuilder();
        int start = 0;
        boolean isCode = false;
        boolean isGenerated = false;
        for (int i = 0; i <= lines.size(); i++) {
            var line = i < lines.size() ? lines.get(i).strip() : "";
            isCode ^= line.startsWith("```");
            isGenerated = line.startsWith("<!-- begin") || isGenerated && !line.startsWith("<!-- end");
            boolean isProse = !isCode && !isGenerated && !line.isEmpty() && !line.matches("([|#<]|```).*");
            var item = LIST_ITEM.matcher(line);
            if (!text.isEmpty() && (!isProse || item.lookingAt())) {
                paragraphs.add(new Paragraph(start, text.toString()));
                text.setLength(0);
            }
            if (isProse) {
                start = text.isEmpty() ? i + 1 : start;
                text.append(item.lookingAt() ? line.substring(item.end()) : line)
                        .append(' ');
            }
        }
        return new MarkdownText(paragraphs);
    }

    /** The anchors of all headings, in order. */
    static List<String> anchors(String page) {
        return HEADING.matcher(page)
                .results()
                .map(heading -> anchor(heading.group(1)))
                .toList();
    }

    /** The anchor of a heading, as GitHub derives it from the text. */
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** The first lines of the paragraphs with such a sentence. */
    List<Integer> sentencesLongerThan(int words) {
        return paragraphs.stream()
                .filter(paragraph -> paragraph.hasSentenceLongerThan(words))
                .map(Paragraph::line)
                .toList();
    }
}
