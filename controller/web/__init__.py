"""The pages of a table in the browser, and the live channel and the commands behind them."""
