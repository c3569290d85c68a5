package habemus.course.exercise;

/**
 * What a part of the mark is for.
 *
 * @param points the most that it can earn
 * @param sentence in the language of the text
 */
public record Criterion(String name, int points, String sentence) {}
