package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Metrics in one of the text formats of Prometheus, parsed strictly: what a scraper would reject fails the test. */
record MetricsText(Map<String, Family> families, Map<String, Double> samples) {

    private static final Pattern HELP = Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|info|summary|unknown)");
    private static final Pattern UNIT = Pattern.compile("# UNIT ([a-zA-Z_:][a-zA-Z0-9_:]*) (\\w+)");
    private static final String LABEL = "[a-zA-Z_]\\w*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{" + LABEL + "(?:," + LABEL
            + ")*})? (-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|[+-]Inf|NaN)");

    /** @param name without the suffix of a sample */
    record Family(String name, String type, String help) {

        private boolean has(String sample) {
            var suffixes = switch (type) {
                case "counter" -> List.of("_total", "", "_created");
                case "histogram" -> List.of("_bucket", "_sum", "_count", "_created");
                case "summary" -> List.of("_sum", "_count", "", "_created");
                case "info" -> List.of("_info");
                default -> List.of("");
            };
            return suffixes.stream().anyMatch(suffix -> sample.equals(name + suffix));
        }
    }

    static MetricsText parse(String text) {
        assertThat(text).endsWith("\n");
        var metrics = new MetricsText(new TreeMap<>(), new TreeMap<>());
        var helps = new TreeMap<String, String>();
        var current = new Family("", "", "");
        var lines = text.lines().toList();
        for (var line : lines) {
            if (line.equals("# EOF")) {
                assertThat(line).isSameAs(lines.getLast());
            } else if (line.startsWith("# HELP")) {
                var help = match(HELP, line); // before the type, or after it
                helps.put(help.group(1), help.group(2));
                metrics.families.computeIfPresent(
                        help.group(1), (name, family) -> new Family(name, family.type, help.group(2)));
            } else if (line.startsWith("# UNIT")) {
                match(UNIT, line);
            } else if (line.startsWith("#")) {
                var type = match(TYPE, line);
                current = new Family(type.group(1), type.group(2), helps.getOrDefault(type.group(1), ""));
                assertThat(metrics.families.put(current.name, current)).as(line).isNull();
            } else {
                metrics.addSample(current, line);
            }
        }
        metrics.families.values().stream()
                .filter(family -> family.type.equals("histogram"))
                .forEach(metrics::checkHistogram);
        metrics.families
                .values()
                .forEach(family -> assertThat(family.help).as(family.name).isNotEmpty());
        return metrics;
    }

    private static java.util.regex.Matcher match(Pattern pattern, String line) {
        var matcher = pattern.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        return matcher;
    }

    private void addSample(Family current, String line) {
        var sample = match(SAMPLE, line);
        assertThat(current.has(sample.group(1))).as(line + " in " + current).isTrue();
        var series = sample.group(1) + (sample.group(2) == null ? "" : sample.group(2));
        assertThat(samples.put(series, number(sample.group(3)))).as(line).isNull();
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** Buckets are cumulative, and the last one has all. */
    private void checkHistogram(Family family) {
        var last = new TreeMap<String, Double>();
        samples.entrySet().stream()
                .filter(sample -> sample.getKey().startsWith(family.name + "_bucket{"))
                .sorted((a, b) -> Double.compare(bound(a.getKey()), bound(b.getKey())))
                .forEach(sample -> {
                    var others =
                            sample.getKey().replaceFirst(",?le=\"[^\"]+\"", "").replace("_bucket", "_count");
                    var before = last.put(others.replace("{}", ""), sample.getValue());
                    assertThat(sample.getValue())
                            .as(sample.getKey())
                            .isGreaterThanOrEqualTo(before == null ? 0 : before);
                });
        assertThat(last).isNotEmpty();
        last.forEach((series, count) -> assertThat(samples).containsEntry(series, count));
    }

    private static double bound(String series) {
        return number(series.replaceFirst(".*le=\"([^\"]+)\".*", "$1"));
    }

    double value(String series) {
        assertThat(samples).containsKey(series);
        return samples.get(series);
    }
}
