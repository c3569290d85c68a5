package habemus.fenced;

import java.util.List;

/** The table after an entry, and what came of it. */
public record Applied(Table table, List<News> news) {}
