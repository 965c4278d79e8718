// jest asks its workers to colour if its own terminal has colours; what is tested would do so, too
delete process.env.FORCE_COLOR;
